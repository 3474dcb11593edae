"""What goes out for people and the court: pages, the report on how they came to be, and the result for programs."""

from core.report.evidence import write_report
from core.report.pages import page_paths, write_pages
from core.report.result import result, title, write_result

__all__ = ["page_paths", "result", "title", "write_pages", "write_report", "write_result"]
