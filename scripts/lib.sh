# Shared by every program under scripts/: the project's own environment in .venv.
#
# Sourcing this file changes to the project's directory and defines
#
#   ensure_runtime_env   .venv holds requirements.lock and the project itself
#   ensure_dev_env       the same plus requirements-dev.lock (tests and checks)
#   help_if_asked "$@"   with --help, prints the comment at the top of the program and ends it
#
# Both return at once when there is nothing to do, print to standard output when there is, and end
# the program with one clear message when they can't. A new program is five lines:
#
#   #!/usr/bin/env bash
#   # scripts/bench: what a turn costs, measured.
#   . "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
#   ensure_dev_env >&2      # standard output is for the program's own result
#   exec "$VENV/bin/python" -m tests.bench "$@"      # which takes --help itself
#
# THINKMATE_PYTHON names the Python to build with; otherwise the first suitable one on PATH.
#
# What is installed is recorded under .venv/.thinkmate, one stamp each for the runtime, the project
# and the dev tools. The runtime stamp is taken away while anything is being installed, so an
# environment without it was interrupted halfway and is built anew.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
PROGRAM="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
VENV="$ROOT/.venv"
STAMPS="$VENV/.thinkmate"
cd "$ROOT"

die() {
  printf '%s\n' "$@" >&2
  exit 1
}

say() { printf '==> %s\n' "$*"; }

# Ends the program with the comment at its top when its first argument, $1, asks for help.
help_if_asked() {
  case "${1:-}" in
    -h | --help) sed -n '2,/^[^#]/{/^#/{s/^# \{0,1\}//;p;};}' "$PROGRAM"; exit ;;
  esac
}

python_version() { "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null; }

# Sets PYTHON to the interpreter to build with.
find_python() {
  local candidate path version seen="" without_venv=""
  local candidates=(python3 python3.13 python3.12 python3.11 python)
  [ -z "${THINKMATE_PYTHON:-}" ] || candidates=("$THINKMATE_PYTHON")
  for candidate in "${candidates[@]}"; do
    # Never the environment's own, which may be on PATH and is about to be removed.
    path="$(PATH="${PATH//"$VENV/bin:"/}" command -v "$candidate" 2>/dev/null)" || continue
    version="$(python_version "$path")" || continue
    case "$version" in
      # The embedded database is published ready-made for these only.
      3.11.* | 3.12.* | 3.13.*)
        if "$path" -c 'import ensurepip, venv' 2>/dev/null; then
          PYTHON="$path"
          return
        fi
        without_venv="${without_venv:-$version}"
        ;;
      *) seen="$seen $candidate is $version;" ;;
    esac
  done
  if [ -n "$without_venv" ]; then
    die "Python $without_venv is here, but without its venv module." \
      "On Debian or Ubuntu: sudo apt install python${without_venv%.*}-venv" \
      "Then run this again."
  fi
  die "ThinkMate needs Python 3.11, 3.12 or 3.13.${seen:+ Here,${seen%;}.}" \
    "Install one of them, or name it: THINKMATE_PYTHON=/path/to/python3.12 $PROGRAM"
}

# What each stamp says when its part is up to date. An environment can't be moved, so its path is
# part of it.
runtime_stamp() { echo "$(cksum <requirements.lock) python $(python_version "$VENV/bin/python") $ROOT"; }
project_stamp() { cksum <pyproject.toml; }
dev_stamp() { cksum <requirements-dev.lock; }

is_current() { [ -f "$STAMPS/$1" ] && [ "$(cat "$STAMPS/$1")" = "$("$1_stamp")" ]; }

stamp() {
  mkdir -p "$STAMPS"
  "$1_stamp" >"$STAMPS/$1"
}

pip_install() {
  local progress=(--quiet --progress-bar off)
  [ ! -t 1 ] || progress=()
  "$VENV/bin/python" -m pip install --disable-pip-version-check --no-input --no-compile --no-deps \
    ${progress[@]+"${progress[@]}"} "$@" ||
    die "Set-up stopped: pip could not install (see above). Check the network and run this again."
}

install_lock() { pip_install --require-hashes --only-binary :all: --requirement "$1"; }

# One set-up at a time. The lock belongs to the open file, so it is gone when the last process that
# holds it is, however that one ends.
lock_env() {
  find_python
  exec 9<requirements.lock
  "$PYTHON" -c "import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)" 2>/dev/null && return
  say "Another set-up is at work here; waiting for it"
  "$PYTHON" -c "import fcntl; fcntl.flock(9, fcntl.LOCK_EX)"
}

unlock_env() { exec 9<&-; }

build_runtime() {
  [ ! -e "$VENV" ] || say "Building .venv anew: it is unfinished, was moved, or its Python or locked packages changed"
  rm -rf "$VENV"
  say "Making .venv with Python $(python_version "$PYTHON")"
  "$PYTHON" -m venv "$VENV" || die "Set-up stopped: $PYTHON could not make a virtual environment (see above)."
  say "Installing $(grep -c '^[a-z0-9].*==' requirements.lock) locked packages (about 55 MB to download the first time)"
  install_lock requirements.lock
}

install_project() {
  say "Installing ThinkMate itself"
  pip_install --no-index --no-build-isolation --editable .
  # Packages arrive uncompiled; one import compiles what the program uses and leaves the rest, most
  # of it, alone. A program that can't be imported says so itself when it is started.
  "$VENV/bin/python" -c "import app.cli.start, app.cli.run" >/dev/null 2>&1 || true
}

# Brings .venv up to date under the lock; $1 is `runtime` or `dev`.
set_up() {
  local began=$SECONDS fresh=""
  lock_env
  if [ "$1" = dev ] && [ -f "$STAMPS/dev" ] && ! is_current dev; then
    rm -f "$STAMPS/runtime"
  fi
  if ! is_current runtime; then
    fresh=yes
    build_runtime
  fi
  rm -f "$STAMPS/runtime"
  if ! is_current project; then
    install_project
    stamp project
  fi
  if [ "$1" = dev ] && ! is_current dev; then
    say "Installing the tools for tests and checks"
    install_lock requirements-dev.lock
    stamp dev
  fi
  stamp runtime
  unlock_env
  [ -z "$fresh" ] || say "Set up in $((SECONDS - began)) s, $(du -sm "$VENV" | cut -f1) MB on disk"
}

ensure_runtime_env() {
  if ! { is_current runtime && is_current project; }; then set_up runtime; fi
}

ensure_dev_env() {
  if ! { is_current runtime && is_current project && is_current dev; }; then set_up dev; fi
}
