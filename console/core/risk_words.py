"""The words by which a destructive step is recognised, by category, in the languages that desktops are often set to.

English first, then German, French, Spanish, Italian, Portuguese and Polish. An entry is matched as whole words, and its
last word may go on (`delet` finds “Deleting”) where it ends in `*`.
"""

from __future__ import annotations

import re

_WORDS: dict[str, tuple[str, ...]] = {
    "delete": (
        "delet*", "remov*", "eras*", "wip*", "trash", "move to bin", "discard*", "destroy*", "purge", "uninstall*",
        "format",
        "don't save", "do not save", "without saving", "clear history", "clear data", "clear all", "reset",
        "drop table",
        "factory reset", "permanently lost", "cannot be undone", "can't be undone", "empty bin", "revert*", "shred",
        "lösch*", "entfern*", "verwerf*", "nicht speichern", "papierkorb", "zurücksetzen", "deinstall*",
        "supprim*", "effac*", "corbeille", "ne pas enregistrer", "désinstall*", "eliminar", "borrar", "papelera",
        "no guardar",
        "elimina*", "cancella definitivamente", "cestino", "non salvare", "excluir", "apagar", "lixeira", "não salvar",
        "usuń*", "usun*", "skasuj", "kosz", "nie zapisuj",
    ),
    "overwrite": (
        "overwrit*", "replace", "already exists", "überschreib*", "ersetzen", "existiert bereits", "écraser",
        "remplacer",
        "sobrescribir", "reemplazar", "sovrascriv*", "sostituisci", "substituir", "sobrescrever", "zastąp", "nadpisz",
    ),
    "send": (
        "send", "send now", "reply all", "reply", "forward message", "submit*", "tweet", "share", "invite", "upload*",
        "senden", "absenden", "abschicken", "antworten", "teilen", "envoyer", "soumettre", "partager", "enviar",
        "compartir",
        "invia*", "condividi", "compartilhar", "wyślij", "udostępnij",
    ),
    "pay": (
        "pay", "pay now", "buy", "buy now", "purchase*", "place order", "order now", "checkout", "check out",
        "subscribe*",
        "donate", "transfer money", "transfer funds", "confirm order", "confirm payment", "book now", "bid",
        "bezahl*", "zahlungspflichtig*", "kaufen", "bestellen", "überweis*", "payer", "acheter", "commander", "pagar",
        "comprar", "paga", "acquista", "compra", "zapłać", "kup", "zamów",
    ),
    "publish": (
        "publish*", "post", "deploy*", "release", "go live", "push", "force push", "merge pull request", "make public",
        "veröffentlich*", "publier", "publicar", "pubblica", "opublikuj",
    ),
    "install": (
        "install*", "upgrade", "update now", "add extension", "add to browser", "run anyway", "open anyway",
        "installier*", "aktualisier*", "instalar", "installa", "zainstaluj",
    ),
    "power": (
        "shut down", "shutdown", "power off", "restart", "reboot", "log out", "logout", "sign out", "hibernate",
        "suspend", "herunterfahren", "ausschalten", "neu starten", "abmelden", "éteindre", "redémarrer",
        "apagar equipo",
        "reiniciar", "spegni", "riavvia", "desligar", "wyłącz", "wyloguj",
    ),
    "rights": (
        "allow", "grant*", "authoriz*", "authoris*", "authenticat*", "administrator", "permission*", "make executable",
        "executing file as program", "executable", "sudo", "root access", "trust", "sharing settings", "change owner",
        "change password", "two-factor", "zulassen", "erlauben", "berechtigung*", "autoriser", "permitir", "consenti",
        "zezwól",
    ),
    "quit": ("unsaved", "save changes", "close anyway", "quit anyway", "force quit", "end process", "kill",
    "terminate"),
}  # fmt: skip
WHAT = {
    "delete": "deletes or throws something away",
    "overwrite": "overwrites something",
    "send": "sends something to somebody",
    "pay": "spends money",
    "publish": "makes something public",
    "install": "installs or changes software",
    "power": "ends the session or turns the machine off",
    "rights": "changes rights or trust",
    "quit": "may lose unsaved work",
    "command": "runs a command",
    "code": "runs code",
    "tool": "lets a tool change something",
}
SHORT = {
    "delete": "deletes",
    "overwrite": "overwrites",
    "send": "sends",
    "pay": "spends money",
    "publish": "publishes",
    "install": "installs",
    "power": "ends the session",
    "rights": "changes rights",
    "quit": "unsaved work",
    "command": "runs a command",
    "code": "runs code",
    "tool": "uses a tool",
    "caution": "wants your eyes",
}
HARMLESS_BUTTONS = re.compile(
    r"(cancel|no|close|back|keep.*|abort|dismiss|not now|later|abbrechen|nein|zurück|annuler|non|cancelar|no gracias|"
    r"annulla|anuluj|nie)",
    re.IGNORECASE,
)
UNSAVED_TITLE = re.compile(
    r"^\s*\*|\*\s*$|\*\s+[-—–]|[•●]|\((modified|unsaved|geändert)\)|\[modified\]|unsaved", re.IGNORECASE
)
TERMINALS = re.compile(
    r"term(inal)?\b|\bterm|konsole|kitty|alacritty|urxvt|tilix|wezterm|console|powershell|cmd\.exe", re.IGNORECASE
)
MESSENGERS = re.compile(
    r"thunderbird|evolution|outlook|geary|kmail|mail|slack|discord|telegram|signal|whatsapp|teams|element|messages|compose|chat",
    re.IGNORECASE,
)
TRASH = re.compile(
    r"trash|recycle|wastebasket|\bbin\b|papierkorb|corbeille|papelera|cestino|lixeira|kosz", re.IGNORECASE
)


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    parts = [re.escape(w[:-1]) + r"\w*" if w.endswith("*") else re.escape(w) + r"(?!\w)" for w in words]
    return re.compile(r"(?<!\w)(?:" + "|".join(parts) + ")", re.IGNORECASE)


_PATTERNS = {category: _pattern(words) for category, words in _WORDS.items()}


def category_of(text: str) -> tuple[str, str] | None:
    """The first category whose words stand in the text, and the words found."""
    plain = text.replace("’", "'").replace("_", " ")
    for category, pattern in _PATTERNS.items():
        hit = pattern.search(plain)
        if hit:
            return category, hit[0]
    return None
