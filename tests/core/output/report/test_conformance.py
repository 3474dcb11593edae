from dataclasses import replace

import pytest
from fpdf import FPDF

from core.options import CompositionOptions, Options, OutputOptions
from core.output.pages import write_pages
from core.output.report.evidence import write_report


@pytest.mark.slow
def test_a_validator_finds_that_all_that_is_written_is_pdfa(small_case, full_case, tmp_path, refused):
    kinds = {
        "lossless": Options(),
        "jpeg": Options(output=OutputOptions(lossless=False)),
        "seams": Options(composition=CompositionOptions(show_seams=True)),
    }
    for name, options in kinds.items():
        write_pages(tmp_path / f"{name}.pdf", replace(small_case, options=options), name="مسألة 7 证据 \u202e")
    write_report(tmp_path / "report.pdf", full_case, name="مسألة 7 证据 \u202e", seams=True)
    plain = FPDF()
    plain.add_page()
    plain.output(tmp_path / "plain.pdf")
    assert list(refused(*tmp_path.glob("*.pdf"))) == ["plain.pdf"]
