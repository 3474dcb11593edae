"""What the bundle's executable runs: the program; or, as a process beside it, what draws PDF files."""

import sys

from core.sheets.formats import pdf_worker

if sys.argv[1:2] == [pdf_worker.COMMAND]:
    pdf_worker.main()
else:
    from main import start

    start()
