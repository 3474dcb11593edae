"""Parts of a window that know no case: pictures, forms, messages."""
