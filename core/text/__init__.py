"""What is written on the pages, as Tesseract reads it: to be searched and copied, and a sign of right joins."""
