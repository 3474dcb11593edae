"""What tests of the review wait for and look at."""


def until_asked(qtbot, queue):
    qtbot.waitUntil(lambda: queue.review.question is not None)
    qtbot.waitUntil(lambda: not queue.canvas.seam_item.boundingRect().isEmpty())


def until_quiet(qtbot, window):
    joins = window.joins
    qtbot.waitUntil(lambda: not window.session.answers.solving and not joins.review.searching)


def asked(queue):
    question = queue.review.question
    return None if question is None else (question.left, question.right)
