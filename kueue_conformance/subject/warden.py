"""A parent process for the judged program, so that no process of
it outlives the program or the harness (harness/H-42, H-43).

A program of its own that imports next to nothing: `python -I -S warden.py [FOLDER …] --
COMMAND …`. Signals are passed on. Its standard input is a pipe that the harness holds: a
byte means that the program shall be killed, the end of it that the harness is gone, and
then the folders are removed as well. Whatever the program has started and left behind
becomes the warden's child (on Linux) and ends with it. It exits as the program did.
"""

import os
import select
import signal
import sys
from contextlib import suppress

_CHILD_SUBREAPER, _PARENT_DEATH_SIGNAL = 36, 1
_PASSED_ON = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_CANNOT_RUN = 126


def main(words: list[str]) -> None:
    """Run the command to its end, or to that of the harness."""
    folders, command = words[: words.index("--")], words[words.index("--") + 1 :]
    # Orphans of the program are given to the nearest subreaper in place of init.
    _control(_CHILD_SUBREAPER, 1)
    ours = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, ours)
    status = _attend(child, folders)
    _end_the_rest(child)
    _exit_as(status)


def _become(command: list[str], warden: int) -> None:
    """Be the program: in a group of its own, without input, and not for longer than the warden."""
    os.setsid()
    _control(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    # The warden may have died before the kernel was told to watch it; then no signal comes any
    # more.
    if os.getppid() != warden:
        # Not sys.exit: the forked child must not run what the interpreter does at its end.
        os._exit(_CANNOT_RUN)
    # The warden's input is the harness's pipe, which the program must not read.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    try:
        os.execvp(command[0], command)  # noqa: S606 - it is what the user wants to have run
    except OSError as problem:
        os.write(2, f"{command[0]} cannot be run: {problem.strerror}\n".encode())
    finally:
        os._exit(_CANNOT_RUN)


def _attend(child: int, folders: list[str]) -> int:
    """Wait for the end of the program, pass signals on, and heed the harness; return how it ended."""
    for name in _PASSED_ON:
        signal.signal(getattr(signal, name), lambda number, _: _send(child, number))
    woken, wake = os.pipe()
    # A wakeup pipe that blocks would stop the signal handler when it is full.
    os.set_blocking(wake, False)
    # `select` is not interrupted by a signal that arrives just before it; a byte in a pipe is not
    # lost.
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    # The default ignores SIGCHLD and would write no byte.
    signal.signal(signal.SIGCHLD, lambda *_: None)
    listening = [0, woken]
    while True:
        # Before each wait: the child may have ended before the handler was there.
        ended_child, status = os.waitpid(child, os.WNOHANG)
        if ended_child:
            return status
        for descriptor in select.select(listening, [], [])[0]:
            heard = os.read(descriptor, 512)
            if descriptor == 0:
                # A pipe at its end is readable for ever.
                listening = [woken]
                _kill_group(child)
                _remove([] if heard else folders)


def _end_the_rest(child: int) -> None:
    """Kill the processes that the program has left: its group, and on Linux adopted children."""
    _kill_group(child)
    while True:
        # Looked at in each round: a killed process hands its own children over.
        for orphan in _children():
            _send(orphan, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    try:
        # Not pathlib: loading it takes longer than everything else in this program.
        with open(f"/proc/self/task/{os.getpid()}/children") as numbers:  # noqa: PTH123
            return [int(number) for number in numbers.read().split()]
    except OSError:
        return []


def _exit_as(status: int) -> None:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        # SIGKILL and SIGSTOP cannot be given a handler, and need none.
        signal.signal(number, signal.SIG_DFL) if number not in (signal.SIGKILL, signal.SIGSTOP) else None
        # A death by signal is passed on as one: the harness tells a crash by it.
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


def _kill_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        _send(child, signal.SIGKILL)


def _send(process: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, number)


def _remove(folders: list[str]) -> None:
    import shutil

    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _control(option: int, value: int) -> None:
    """Call prctl where there is one."""
    if sys.platform == "linux":
        # Imported where it is used: only Linux has prctl.
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
