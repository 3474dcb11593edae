"""The language of the window: English, unless there is a translation into that of the system."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.system.places import ROOT


def install(application: QCoreApplication, locale: QLocale | None = None) -> list[QTranslator]:
    """Put the translations of Rejoin and of Qt's own texts in force that there are for a language.

    ``pyside6-lupdate app/*.py core/options.py -ts resources/translations/rejoin_LANGUAGE.ts`` gathers the texts,
    ``pyside6-lrelease`` makes the file that is read here.

    Parameters
    ----------
    application : QCoreApplication
        Keeps them.
    locale : QLocale, optional
        The system's, if absent.

    Returns
    -------
    list of QTranslator
        Those in force.
    """
    locale = locale or QLocale()
    installed = []
    # Qt's before Rejoin's: what was installed last is asked first.
    for name, folder in (
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        ("rejoin", str(ROOT / "translations")),
    ):
        translator = QTranslator(application)
        if _speaks(locale) and translator.load(locale, name, "_", folder):
            application.installTranslator(translator)
            installed.append(translator)
    return installed


def _speaks(locale: QLocale) -> bool:
    """Tell whether Rejoin itself speaks a language: half a translated window would be worse than none."""
    return any((ROOT / "translations").glob(f"rejoin_{locale.name().split('_')[0]}*.qm"))
