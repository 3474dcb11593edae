"""One module a kind of file: an open file becomes pixels, page by page, quietly and within a size limit."""
