"""What was found in a case by its name: as a line in a list, and gone to."""

from app import wording
from app.shell import Shell
from app.widgets.note_marks import title_of
from app.wording import translate
from core.arrangement.arrangement import Arrangement
from core.arrangement.noted import subject_of
from core.text.case_search import Finding


def line(finding: Finding, arrangement: Arrangement) -> str:
    """Describe in a line what was found, its kind first."""
    text = " ".join(finding.text.split())
    if isinstance(finding.key, int):
        if finding.kind == "page":
            return wording.page_title(finding.key, text)
        return translate("findings", "Sheet {n}, {name}").format(n=finding.key + 1, name=text)
    if finding.kind == "note":
        return translate("findings", "Note: {title}: {text}").format(title=title_of(finding.key), text=text)
    page = arrangement.page_of(finding.key)
    aside = translate("findings", "Shred {id}, set aside")
    placed = translate("findings", "Shred {id}, page {page}")
    return (aside if page is None else placed).format(id=text, page=0 if page is None else page + 1)


def go_to(shell: Shell, finding: Finding) -> None:
    """Show what was found: its page, its shreds chosen, or its sheet."""
    document, key = shell.session.document, finding.key
    if isinstance(key, int):
        (document.show_page if finding.kind == "page" else document.select_sheet)(key)
    elif key:
        shreds, _ = subject_of(key)
        document.select_shreds(shreds, shreds[-1])
        document.show_shred(shreds[-1])
    else:
        shell.docks.show("history")
