"""`make honest-controllers`: judge controllers that were written from the guide alone. A wrong one is run
against the scenario named for it, a right one against the whole profile.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import click

from .catalogue import languages, load
from .judging import build, is_caught, judge_design, judge_mistake
from .seeds import SEEDS, PassedSeeds


def main() -> None:
    """Build and judge what the arguments choose; exit with 1 when a mistake escapes or a right one fails."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("only", nargs="*", help="languages, designs or mistakes; default all")
    options.add_argument("--right", action="store_true", help="the right ones alone")
    options.add_argument("--wrong", action="store_true", help="the wrong ones alone")
    options.add_argument("--whole", action="store_true", help="run the whole profile for wrong ones as well")
    options.add_argument("--seed", default="1", help="seed of the runs; default 1")
    options.add_argument(
        "--seeds", action="store_true", help="the right ones in 20 seeds; goes on where it was ended (hours)"
    )
    options.add_argument("-n", default="2", help="worker processes of a run; default 2")
    args = options.parse_args()
    if args.seeds:
        failures = list(_judge_in_seeds(args))
    else:
        failures = [failure for language in languages() for failure in _judge_language(language, args)]
    sys.exit(bool(failures))


def _judge_in_seeds(args):
    """Yield the name of each right controller that fails, once for each seed that is still to be run."""
    passed, designs = PassedSeeds(), {}
    for language in languages():
        catalogue = load(language)
        right = {name: design for name, design in catalogue.right.items() if _is_chosen(args, language, name)}
        if right and _is_built(language, catalogue):
            designs |= {f"{language}/{name}": design for name, design in right.items()}
    with tempfile.TemporaryDirectory() as folder:
        for key, seed in passed.left(list(designs)):
            language, name = key.split("/")
            words = ["--seed", str(seed), "-n", args.n]
            verdict = judge_design(language, name, designs[key].subject, Path(folder, "report"), words)
            if verdict.has_passed:
                passed.record(key, seed)
            click.echo(f"seed {seed}  {len(passed.of(key))} of {len(SEEDS)}  ", nl=False)
            yield from _tell(language, name, verdict.has_passed, "right", "FAILED", verdict)


def _judge_language(language, args):
    """Yield the name of each controller of a language for which the run ends otherwise than it should."""
    catalogue = load(language)
    right = [] if args.wrong else [name for name in catalogue.right if _is_chosen(args, language, name)]
    wrong = [] if args.right else [name for name in catalogue.wrong if _is_chosen(args, language, name)]
    if not right and not wrong:
        return
    if not _is_built(language, catalogue):
        return
    seed = ["--seed", args.seed, "-n", args.n]
    with tempfile.TemporaryDirectory() as folder:
        for name in wrong:
            mistake = catalogue.wrong[name]
            words = seed if args.whole else [*seed, mistake.scenario]
            verdict = judge_mistake(language, name, catalogue, Path(folder, name), words)
            yield from _tell(language, name, is_caught(mistake, verdict), "caught", "ESCAPED", verdict)
        for name in right:
            verdict = judge_design(language, name, catalogue.right[name].subject, Path(folder, name), seed)
            yield from _tell(language, name, verdict.has_passed, "right", "FAILED", verdict)


def _is_built(language, catalogue):
    """Build the program of a language; say what is missing for that, and return whether it is there."""
    if missing := catalogue.missing_programs():
        click.echo(f"unsupported  {language}: needs {', '.join(missing)}, not on this machine")
        return False
    build(language, catalogue)
    return True


def _is_chosen(args, language, name):
    return not args.only or bool({language, name} & set(args.only))


def _tell(language, name, is_good, good, bad, verdict):
    """Print a line about a controller, and the output of a run that ended otherwise; yield the name then."""
    counts = f"{len(verdict.failed)} failed" if verdict.failed else "nothing failed"
    click.echo(f"{good if is_good else bad:<12} {language}/{name}: {counts}  {verdict.first_cause}")
    if not is_good:
        click.echo(verdict.text)
        yield name


if __name__ == "__main__":
    main()
