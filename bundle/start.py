"""What the bundle's executable runs: the program; or, as a process beside it, what draws PDF files."""

import sys

from core import pdf_process

if sys.argv[1:2] == [pdf_process.COMMAND]:
    pdf_process.main()
else:
    from main import start

    start()
