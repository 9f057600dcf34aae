#!/bin/sh
# Installs Laserboard on a Raspberry Pi (Raspberry Pi OS 12 or 13, 64 bit) or any 64-bit Debian.
# Run it again to update or to repair an installation: it changes only what differs.
set -eu

HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
NAME=laserboard
PLACE=/opt/laserboard
SETTINGS=/etc/laserboard
BOARD_FILE=$SETTINGS/board.yaml
STATE=/var/lib/laserboard
KEPT_SETTINGS=$STATE/settings
UNIT=/etc/systemd/system/laserboard.service
RULE=/etc/udev/rules.d/70-laserboard.rules
COMMAND=/usr/local/bin/laserboard
AS_SERVICE=/usr/local/bin/laserboard-service
INSTALLED=$PLACE/.installed-from
GROUPS_WANTED="dialout gpio spi video"
PACKAGES="python3 python3-venv avahi-daemon gcc libc6-dev"
PI_PACKAGES="python3-picamera2 python3-lgpio python3-spidev"
LIBRARIES="controller, cv2, fpdf, gpiozero, httpcore, numpy, paho.mqtt, serial, starlette, uvicorn, websockets, yaml"
SOURCES="pyproject.toml README.md LICENSE constraints-bookworm.txt engine vision controller firmware hardware"

dry=no
action=install
purge=no
board=demo-10x8
new_name=
changed=no
updated=no

usage() {
    cat <<'END'
usage: sudo ./install.sh [--dry-run] [--board NAME] [--hostname NAME]
       sudo ./install.sh --uninstall [--purge] [--dry-run]

Installs Laserboard on this computer as a service that starts at boot. The table then needs no
keyboard, also after a power cut, and serves its page at http://NAME.local:8137/.

  --dry-run        print every step and its commands, and change nothing
  --board NAME     the board of a new board file (default demo-10x8; paper-10x8 has no LEDs);
                   ignored if /etc/laserboard/board.yaml exists
  --hostname NAME  set the hostname; with `laserboard` the page is at laserboard.local
                   (default: keep the hostname)
  --uninstall      remove Laserboard; games and the board file stay in /var/lib/laserboard
  --purge          with --uninstall: remove games and the board file, too
  --help           print this help

examples:
  ./install.sh --dry-run                     show what would be done
  sudo ./install.sh --hostname laserboard    install
  git pull && sudo ./install.sh              update
END
}

# -- output and commands -------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }
step() { say "== $*"; }
fine() { say "   $*"; }

stop() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# Print a command that changes something, and run it unless this is a dry run.
run() {
    changed=yes
    say "   \$ $*"
    [ "$dry" = yes ] || "$@"
}

# Like `run`, for commands that may fail: no later step depends on them.
try() {
    run "$@" || fine "that failed; continuing without it"
}

# put FILE PLACE MODE: install a file unless the same content is there; sets `placed`.
put() {
    placed=no
    if cmp -s "$1" "$2"; then
        fine "$2 is in place"
        return 0
    fi
    run install -D -m "$3" "$1" "$2"
    placed=yes
    updated=yes
}

remove() {
    for each in "$@"; do
        if [ -e "$each" ] || [ -L "$each" ]; then run rm -rf "$each"; fi
    done
}

systemd_runs() { [ -d /run/systemd/system ]; }
udev_runs() { [ -S /run/udev/control ]; }
has() { command -v "$1" >/dev/null 2>&1; }

# -- arguments and checks ------------------------------------------------------------------------

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --dry-run) dry=yes ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        --board | --hostname)
            [ $# -gt 1 ] || stop "$1 needs a name; see --help"
            if [ "$1" = --board ]; then board=$2; else new_name=$2; fi
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) stop "there is no option $1; see --help" ;;
        esac
        shift
    done
    if [ "$purge" = yes ] && [ "$action" = install ]; then
        stop "--purge goes with --uninstall; see --help"
    fi
    [ -z "$new_name" ] || check_name "$new_name"
    [ -f "$HERE/hardware/boards/$board.yaml" ] ||
        stop "there is no board $board: $(cd "$HERE/hardware/boards" && echo ./*.yaml | sed 's#\./##g; s#\.yaml##g')"
}

check_name() {
    case $1 in
    *[!a-z0-9-]* | -* | *-) stop "--hostname $1: use a to z, 0 to 9 and - inside" ;;
    esac
    [ ${#1} -le 63 ] || stop "--hostname: a name has 63 letters at most"
}

check_machine() {
    has apt-get || stop "this is no Debian: apt-get is missing. Raspberry Pi OS 12 or newer will do"
    architecture=$(dpkg --print-architecture)
    case $architecture in
    arm64 | amd64) ;;
    *) stop "a 64-bit system is needed, and this one is $architecture. Write \"Raspberry Pi OS (64-bit)\" onto the card with Raspberry Pi Imager, and begin again" ;;
    esac
    release=$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9]*\).*/\1/p' /etc/os-release)
    if [ -n "$release" ] && [ "$release" -lt 12 ]; then
        stop "Debian or Raspberry Pi OS 12 or newer is needed (Python 3.11); this is $release"
    fi
    [ "$dry" = yes ] || [ "$(id -u)" -eq 0 ] || stop "run it as root: sudo $0"
}

# -- the steps -----------------------------------------------------------------------------------

install_packages() {
    step "packages of the system"
    missing=
    for each in $PACKAGES; do
        has_package "$each" || missing="$missing $each"
    done
    # A system fresh from its image has no package lists yet.
    known=$(apt-cache pkgnames python3)
    if [ -n "$missing" ] || ! listed python3-venv; then
        run env DEBIAN_FRONTEND=noninteractive apt-get update -q
        known=$(apt-cache pkgnames python3)
    fi
    for each in $PI_PACKAGES; do
        if has_package "$each"; then
            continue
        elif listed "$each"; then
            missing="$missing $each"
        else
            fine "this Debian has no $each: only a Raspberry Pi needs it"
        fi
    done
    if [ -z "$missing" ]; then
        fine "all packages are installed"
        return 0
    fi
    # shellcheck disable=SC2086  # several packages
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# Whether a package is available, installed or not.
listed() { printf '%s\n' "$known" | grep -qx "$1"; }
has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

make_user() {
    step "the user $NAME, which runs the service"
    if ! getent passwd "$NAME" >/dev/null; then
        run useradd --system --user-group --home-dir "$STATE" --no-create-home \
            --shell /usr/sbin/nologin "$NAME"
    fi
    for each in $GROUPS_WANTED; do
        if ! getent group "$each" >/dev/null; then
            fine "this computer has no group $each: skipped"
        elif ! in_group "$each"; then
            run usermod -aG "$each" "$NAME"
        fi
    done
    make_state
}

in_group() { id -nG "$NAME" 2>/dev/null | tr ' ' '\n' | grep -qx "$1"; }

make_state() {
    if [ "$(stat -c %U "$STATE" 2>/dev/null)" = "$NAME" ]; then
        fine "$STATE is in place"
    else
        run install -d -m 0750 "$STATE"
        run chown -R "$NAME:$NAME" "$STATE"
    fi
}

# Hash of all source files: if it has not changed, the program is not installed again.
fingerprint() {
    # shellcheck disable=SC2086  # several places
    (cd "$HERE" && find $SOURCES -type f ! -path '*/build/*' ! -name '*.pyc' -print0 |
        sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)
}

install_program() {
    step "the program, in a virtual environment that sees the system's camera and pin libraries"
    mark=$(fingerprint)
    if [ "$(cat "$INSTALLED" 2>/dev/null)" = "$mark" ] && finds "$LIBRARIES"; then
        fine "$PLACE has this version"
        return 0
    fi
    updated=yes
    # After an update of the system's Python, the old environment is broken: make a new one.
    finds pip || run python3 -m venv --clear --system-site-packages "$PLACE"
    # Build in a copy, so that no files of root stay in this folder.
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
    run copy_sources "$build"
    if [ "$release" = 12 ]; then
        fine "Debian 12: with the numpy version that its picamera2 needs"
        run_pip "$build" --constraint "$HERE/constraints-bookworm.txt"
    else
        run_pip "$build"
    fi
    [ "$dry" = yes ] || say "$mark" >"$INSTALLED"
}

# Whether the installed Python can import these modules. -I: not from the current folder.
finds() { "$PLACE/bin/python" -I -c "import $1" 2>/dev/null; }

copy_sources() {
    # shellcheck disable=SC2086  # several places
    (cd "$HERE" && tar -cf - --exclude=build --exclude='*.egg-info' --exclude=__pycache__ $SOURCES) |
        tar -xf - -C "$1"
}

run_pip() {
    from=$1
    shift
    run "$PLACE/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
        --upgrade "$@" "${from}[event,print]" ||
        stop "pip could not install the program (see its message above); is there a network?"
}

install_commands() {
    step "the commands laserboard and laserboard-service (the same as the service's user)"
    if [ "$(readlink "$COMMAND" 2>/dev/null)" = "$PLACE/bin/laserboard" ]; then
        fine "$COMMAND is in place"
    else
        run ln -sf "$PLACE/bin/laserboard" "$COMMAND"
    fi
    put "$HERE/install/laserboard-service" "$AS_SERVICE" 0755
}

install_settings() {
    step "the board file $BOARD_FILE"
    if [ -e "$BOARD_FILE" ]; then
        fine "it exists: not changed"
        return 0
    fi
    run install -d -m 0755 "$SETTINGS"
    if [ -e "$KEPT_SETTINGS/board.yaml" ]; then
        fine "the one that was kept when Laserboard was uninstalled"
        run cp -a "$KEPT_SETTINGS/." "$SETTINGS/"
        run rm -rf "$KEPT_SETTINGS"
    else
        run "$PLACE/bin/laserboard" init "$BOARD_FILE" --board "$board" --no-devices
    fi
}

install_rule() {
    step "a name for the Pico: /dev/laserboard"
    put "$HERE/install/70-laserboard.rules" "$RULE" 0644
    [ "$placed" = yes ] || return 0
    if udev_runs; then
        try udevadm control --reload
        try udevadm trigger --subsystem-match=tty
    else
        fine "skipped: udev does not run here; the name exists after the next boot"
    fi
}

name_computer() {
    [ -n "$new_name" ] || return 0
    step "the name of this computer: $new_name"
    old=$(cat /etc/hostname 2>/dev/null || hostname)
    if [ "$old" = "$new_name" ]; then
        fine "it has this name"
        return 0
    fi
    if systemd_runs && has hostnamectl; then
        run hostnamectl set-hostname "$new_name"
    else
        run write_line "$new_name" /etc/hostname
    fi
    if grep -qE "^127\.0\.1\.1[[:space:]]" /etc/hosts 2>/dev/null; then
        run sed -i "s/^127\.0\.1\.1[[:space:]].*/127.0.1.1\t$new_name/" /etc/hosts
    else
        run add_line "127.0.1.1	$new_name" /etc/hosts
    fi
    if systemd_runs; then try systemctl restart avahi-daemon; fi
}

write_line() { say "$1" >"$2"; }
add_line() { say "$1" >>"$2"; }

install_service() {
    step "the service, which also powers off this computer when the power button is held"
    put "$HERE/install/laserboard.service" "$UNIT" 0644
    if [ -L /etc/systemd/system/multi-user.target.wants/laserboard.service ]; then
        fine "it starts at boot"
    elif has systemctl; then
        run systemctl --quiet enable laserboard.service
    else
        fine "skipped: this computer has no systemd, so the service does not start at boot"
    fi
}

run_doctor() {
    step "laserboard doctor: check everything that play needs"
    if systemd_runs && systemctl --quiet is-active laserboard.service; then
        if [ "$updated" = no ]; then
            fine "skipped: the service is running and uses the camera"
            return 0
        fi
        run systemctl stop laserboard.service
    fi
    [ "$dry" = yes ] || [ -x "$AS_SERVICE" ] || return 0
    say "   \$ laserboard-service doctor --board $BOARD_FILE"
    [ "$dry" = yes ] || "$AS_SERVICE" doctor --board "$BOARD_FILE" ||
        fine "missing devices may be plugged in at any time: the service waits for them"
}

start_service() {
    if ! systemd_runs; then
        step "starting"
        fine "skipped: systemd does not run here (a chroot or a container?)"
        fine "it starts at boot, or with: sudo systemctl start laserboard"
        return 0
    fi
    step "starting"
    if [ "$updated" = no ] && systemctl --quiet is-active laserboard.service; then
        fine "it is running"
        return 0
    fi
    run systemctl daemon-reload
    run systemctl restart laserboard.service ||
        stop "it does not start: see \`journalctl -u laserboard -n 50\`"
}

print_summary() {
    host=$(cat /etc/hostname 2>/dev/null || hostname)
    say
    if [ "$dry" = yes ]; then
        say "That was a dry run: nothing was changed."
        return 0
    fi
    [ "$changed" = yes ] || say "Everything was in place: nothing was changed."
    say "The page:       http://${new_name:-$host}.local:8137/ (its PIN: journalctl -u laserboard -g PIN)"
    say "The board file: $BOARD_FILE; after a change: sudo systemctl restart laserboard"
    say "Status:         systemctl status laserboard"
    if [ "${new_name:-$host}" != laserboard ]; then
        say "To call it laserboard.local: sudo $0 --hostname laserboard"
    fi
}

# -- uninstalling --------------------------------------------------------------------------------

uninstall() {
    step "the service"
    if systemd_runs; then
        if systemctl --quiet is-active laserboard.service; then try systemctl stop laserboard.service; fi
    else
        fine "skipped: systemd does not run here"
    fi
    if has systemctl && [ -e "$UNIT" ]; then try systemctl --quiet disable laserboard.service; fi
    remove "$UNIT" /etc/systemd/system/multi-user.target.wants/laserboard.service
    if systemd_runs; then try systemctl daemon-reload; fi
    step "the name of the Pico"
    remove "$RULE"
    if udev_runs; then try udevadm control --reload; fi
    step "the program"
    remove "$COMMAND" "$AS_SERVICE" "$PLACE"
    keep_or_purge
    step "the user $NAME"
    if getent passwd "$NAME" >/dev/null; then run userdel "$NAME"; fi
    if getent group "$NAME" >/dev/null; then run groupdel "$NAME"; fi
    say
    if [ "$dry" = yes ]; then
        say "That was a dry run: nothing was changed."
        return 0
    fi
    say "Laserboard is removed. System packages ($PACKAGES)"
    say "and the hostname are not changed."
    [ ! -e "$STATE" ] || say "Games and the board file are in $STATE; a new installation uses them."
}

keep_or_purge() {
    if [ "$purge" = yes ]; then
        step "games and the board file"
        remove "$SETTINGS" "$STATE"
        return 0
    fi
    step "games and the board file are kept in $STATE (--purge removes them)"
    if [ -e "$SETTINGS" ]; then
        run install -d -m 0750 "$STATE"
        run rm -rf "$KEPT_SETTINGS"
        run cp -a "$SETTINGS" "$KEPT_SETTINGS"
        run rm -rf "$SETTINGS"
    fi
    if [ -e "$STATE" ]; then run chown -R root:root "$STATE"; fi
}

# ------------------------------------------------------------------------------------------------

read_arguments "$@"
check_machine
if [ "$action" = uninstall ]; then
    uninstall
    exit 0
fi
install_packages
make_user
install_program
install_commands
install_settings
install_rule
name_computer
install_service
run_doctor
start_service
print_summary
