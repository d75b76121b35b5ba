"""Names and texts that Kubernetes takes, at their limits: a provider for Faker."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from importlib import import_module
from itertools import chain, count, repeat

from faker.generator import Generator
from faker.providers.lorem.en_US import Provider as Lorem

LABEL_LENGTH, NAME_LENGTH = 63, 253
"""The most characters of a DNS label, which the value of a label has as well, and of a DNS subdomain."""
_LOCALES = ("ar_AA", "cs_CZ", "de_DE", "el_GR", "fr_FR", "he_IL", "ja_JP", "ru_RU", "zh_CN")
_PERCENT = ("%s", "%d", "%v", "%!s(MISSING)", "%(name)s")
_BRACES = ("{0}", "{}", "{name}", "{{ name }}", "${HOME}")
_QUOTES = ('"quoted"', "it's", "`code`", "a \\ b", "<b>&amp;</b>")
_BREAKS = ("\n", "\r\n", "\n\t")


class KubernetesProvider(Lorem):
    """Names of objects, labels, names of users, and messages.

    Names come in rows of look-alikes: two of a row share what stands before the first and after the last dash
    and dot, and the first 63 characters where they are longer. A row is in the order of its bytes, which is
    neither that of a dictionary nor that of numbers.
    """

    def object_names(self, start: str, length: int = NAME_LENGTH, *, dots: bool = True) -> Iterator[str]:
        """Return DNS subdomains of this length that begin alike, DNS labels without `dots`.

        The only dots stand early and at the end: Kueue cuts the names of Jobs, and cut at a dot they are no
        names.
        """
        ending = "-z.z" if dots else "-z-z"
        text = self._words(start, length, ".-" if dots else "-").lower()
        for middle in self._middles("." if dots else "-"):
            beginning = text[: length - len(middle) - len(ending)]
            yield re.sub(r"[-.]$", "x", beginning) + middle + ending

    def label_values(self) -> Iterator[str]:
        """Return values of labels; the first two differ in the case of a letter alone."""
        text = self._words(self.word().title(), LABEL_LENGTH, "._-")
        for middle in self._letters_of_both_cases():
            yield f"{text[: LABEL_LENGTH - len(middle) - 1]}x{middle}"

    def label_keys(self) -> Iterator[str]:
        """Return keys of labels with one prefix; the first two differ in the case of a letter alone."""
        prefix = f"{self.word()}-{self.word()}.example.com".lower()
        return (f"{prefix}/{value}" for value in self.label_values())

    def user_names(self, start: str) -> Iterator[str]:
        """Return names of users as identity providers write them; the first two differ in the case of a
        letter alone.
        """
        issuer = f"https://{self.word()}.example.com/%s?realm={{0}}#{start}:O'{self.word().title()}"
        return (f"{issuer}+{middle}@Example.COM" for middle in self._letters_of_both_cases())

    def messages(self) -> Iterator[str]:
        """Return texts for people: with quotes, percent signs, braces, a line break, foreign letters."""
        locale = self.random_element(_LOCALES)
        foreign = import_module(f"faker.providers.lorem.{locale}").Provider(self.generator)
        while True:
            marks = [self.random_element(marks) for marks in (_PERCENT, _BRACES, _QUOTES)]
            self.generator.random.shuffle(marks)
            sentence, line_break = foreign.sentence(), self.random_element(_BREAKS)
            # The second letter of each is one of several code points, or beyond 16 bits.
            yield f"50% of {sentence}{line_break}{' '.join(marks)} e\N{COMBINING ACUTE ACCENT} \N{ROCKET}"

    def _words(self, start: str, length: int, separators: str) -> str:
        text, turn = start, chain(separators, repeat(separators[-1]))
        while len(text) < length:
            text += next(turn) + self.word().title()
        return text

    def _middles(self, separator: str) -> Iterator[str]:
        letter: str = self.random_element("bcdefgh")
        yield f"{letter}-y"
        yield f"{letter}{separator}z"
        yield f"{letter}1{self.random_digit()}"
        yield f"{letter}{self.random_int(2, 9)}x"
        yield from (f"{letter}{second}{digit}" for second in string.ascii_lowercase for digit in range(10))
        yield from (f"z{number:06}" for number in count())

    def _letters_of_both_cases(self) -> Iterator[str]:
        letter: str = self.random_element("bcdefgh")
        yield f"{letter.upper()}-z"
        yield f"{letter}-z"
        yield from (f"{letter}{number:03}" for number in count(1))


def kubernetes_provider(seed: int) -> KubernetesProvider:
    """Return a provider that draws the same for the same seed."""
    generator = Generator()
    generator.seed_instance(seed)
    return KubernetesProvider(generator)
