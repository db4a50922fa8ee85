# shellcheck shell=bash
# Sourced by ./test: a browser and a database for the tests of the web table, Debian's chromium and postgresql. Where
# they are missing they are installed, if that is possible without asking anybody; else their tests are skipped, and
# that is said loudly, before the tests and once more after them. Nothing here makes ./test fail. Of Chromium the package
# without windows is installed: it is smaller, and its tests take half the time. One that is here already will do.
#
#   get_browser_and_database   install what is missing
#   tell_what_is_missing       say what was not tested
#
# FLAGPLOT_NO_INSTALL=1 installs nothing. FLAGPLOT_CHROMIUM names another browser.

missing_packages() {
    [ -n "${FLAGPLOT_CHROMIUM:-}" ] || command -v chromium-headless-shell >/dev/null 2>&1 ||
        command -v chromium >/dev/null 2>&1 || printf 'chromium-headless-shell\n'
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || printf 'postgresql\n'
}

get_browser_and_database() {
    local missing log
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if [ -z "${FLAGPLOT_NO_INSTALL:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing" $missing "for the tests of the web table …"
        log=$(mktemp) || return 0
        # Older systems have no package without windows.
        install_debian $missing >"$log" 2>&1 </dev/null ||
            install_debian ${missing/chromium-headless-shell/chromium} >>"$log" 2>&1 </dev/null ||
            tail -n 5 -- "$log" >&2 || true
        rm -f -- "$log"
    fi
    tell_what_is_missing
}

# With the lists of packages that are here, or with new ones: a fresh machine has none.
install_debian() {
    local -x DEBIAN_FRONTEND=noninteractive
    timeout 300 apt-get install -y --no-install-recommends "$@" && return
    timeout 120 apt-get update && timeout 300 apt-get install -y --no-install-recommends "$@"
}

tell_what_is_missing() {
    local package
    for package in $(missing_packages); do
        case $package in
            chromium*) say 'SKIPPED: there is no Chromium here, so no page of the web table was tried in a browser.' ;;
            postgresql) say 'SKIPPED: there is no PostgreSQL here, so the web table was tried on SQLite alone.' ;;
        esac
        say "         To test that too: apt-get install --no-install-recommends $package (as root), then ./test"
    done
    return 0
}
