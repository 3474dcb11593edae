from core.cli.common import one_line, say


def test_what_a_terminal_obeys_is_written_as_codes():
    assert one_line("Größe 证据 ?") == "Größe 证据 ?"
    assert one_line("a\x1b[2K\rVerified.\n\u202eb\u2028") == "a\\x1b[2K\\rVerified.\\n\\u202eb\\u2028"


def test_a_message_keeps_its_lines_and_nothing_else(capsys):
    say("one\ntwo\x1b[31m\rthree")
    assert capsys.readouterr().err == "one\ntwo\\x1b[31m\\rthree\n"
