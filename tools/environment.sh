# shellcheck shell=bash
# Sourced by ./run, ./test and bench/run: makes the project's own Python environment in .venv and remembers that
# it is done. The caller sets `root`; afterwards `python` is the interpreter to use.
#
#   prepare run    what the program needs (requirements.lock)
#   prepare dev    that and the tools      (requirements-dev.lock, which holds the same versions)
#
# FLAGPLOT_PYTHON names the interpreter to make it with, if not the first that fits.

venv=${root:?}/.venv
python=$venv/bin/python
# Before PYTHONPATH of the user, so that this tree wins over an installed flagplot.
export PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"

say() { printf 'flagplot: %s\n' "$*" >&2; }

lock_of() {
    case $1 in
        run) printf '%s' "$root/requirements.lock" ;;
        dev) printf '%s' "$root/requirements-dev.lock" ;;
    esac
}

# What the stamp of a finished environment must hold: the hash of the lock file and the Python that it was made for.
# Asked of the environment's own interpreter, so a Python that was removed or replaced shows here too.
wanted() {
    "$python" -I -S -c 'if True:
        import hashlib, sys
        print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest(), sys.implementation.cache_tag)
    ' "$(lock_of "$1")" 2>/dev/null
}

ready() {
    local stamp=$venv/flagplot-$1.stamp want
    [ -f "$stamp" ] && want=$(wanted "$1") && [ "$(cat -- "$stamp")" = "$want" ]
}

# Prints the first interpreter that is 3.11 or newer and can make environments: the system's own, then the newest. Each
# is run to see: the shims of version managers are there even for versions that are not.
find_python() {
    local candidate name version venvless='' seen=''
    # Not our own environment, if it happens to be active: it may be about to be deleted.
    local PATH=${PATH//"$venv/bin:"/}
    set -- python3.13 python3.12 python3.11 python3 python
    # Distributions build theirs with profile-guided optimisation. One that a version manager compiled is often without
    # it, and then takes a third to a half longer for everything.
    [ "$(uname)" != Linux ] || set -- /usr/bin/python3 "$@"
    [ -z "${FLAGPLOT_PYTHON:-}" ] || set -- "$FLAGPLOT_PYTHON"
    for name in "$@"; do
        candidate=$(command -v -- "$name") || continue
        version=$("$candidate" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        if ! "$candidate" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            seen="$seen $name ($version)"
        elif ! "$candidate" -I -c 'import ensurepip, venv' 2>/dev/null; then
            venvless=${venvless:-$version}
        else
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    if [ -n "$venvless" ]; then
        say "Python $venvless is here, but without its venv module."
        say "Install it (Debian, Ubuntu: apt install python$venvless-venv) and start again."
    else
        say "Python 3.11 or newer is needed; found:${seen:- none}."
        say "Install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python) and start again,"
        say "or name one: FLAGPLOT_PYTHON=/path/to/python3 $0"
    fi
    return 2
}

# Runs a command with its output kept in a file, which is only shown if everything failed.
quietly() { "$@" >>"$log" 2>&1 </dev/null; }

install_packages() {
    local lock=$1
    # uv is about ten times quicker than pip, but it does not read pip's settings: where only pip is set up to
    # reach an index, pip does the whole job.
    if quietly "$python" -I -m pip install uv &&
        quietly "$venv/bin/uv" pip install --python "$python" --require-hashes -r "$lock"; then
        return 0
    fi
    say 'no luck with uv, trying pip …'
    quietly "$python" -I -m pip install --require-hashes -r "$lock"
}

build() {
    local kind=$1 base=$2 log
    local stamp=$venv/flagplot-dev.stamp
    if [ "$kind" = dev ] && ready run && [ ! -e "$stamp" ]; then
        say 'adding the development tools to .venv …'
    else
        say "making .venv with $("$base" -V) …"
        rm -rf -- "$venv"
        log=$(mktemp)
        if ! quietly "$base" -I -m venv "$venv"; then
            cat -- "$log" >&2
            rm -f -- "$log"
            say 'could not make .venv (output above).'
            exit 2
        fi
        rm -f -- "$log"
        say 'installing packages …'
    fi

    # If this is cut short, the word stays: the next start sees that .venv is half-made and makes it anew.
    [ "$kind" = run ] || echo unfinished >"$stamp"
    log=$venv/install.log
    : >"$log"
    if ! install_packages "$(lock_of "$kind")"; then
        cat -- "$log" >&2
        say 'could not install the packages (output above). Is there a network?'
        rm -f -- "$stamp" # what ./run needs may be complete, and installers only add what is missing
        exit 2
    fi
    wanted run >"$venv/flagplot-run.stamp"
    [ "$kind" = run ] || wanted dev >"$stamp"
    say 'ready.'
}

# A link leads to an environment that others use too: it is taken as it is, never made anew or deleted.
use_linked() {
    if [ ! -x "$python" ]; then
        say ".venv is a link to $(readlink -- "$venv"), where there is no Python. Nothing was changed or deleted."
        say 'Remove the link (rm .venv), and the next start makes an environment here.'
        exit 2
    fi
    ready "$1" || say ".venv is a link to $(readlink -- "$venv"), whose packages may be others than $(basename -- "$(lock_of "$1")") names."
}

prepare() {
    if [ -L "$venv" ]; then
        use_linked "$1"
        return
    fi
    ready "$1" && return
    # pip and uv handle Ctrl-C themselves and then look like a plain failure; do not go on to the next try.
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # One builder at a time. The lock is on this very file, through a descriptor that bash and its children share, and
    # goes away with them, however they end; through Python because not every system has the flock program.
    local base
    base=$(find_python) || exit
    exec 9<"$root/tools/environment.sh"
    "$base" -I -c 'if True:
        import fcntl, signal, sys
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("flagplot: waiting for another start to finish installing …", file=sys.stderr)
            fcntl.flock(9, fcntl.LOCK_EX)
    '
    ready "$1" || build "$1" "$base"
    exec 9<&- # the program must not hold the lock while it runs
    trap - INT TERM
}
