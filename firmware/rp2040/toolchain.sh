#!/bin/sh
# Finds or downloads the compiler and the SDK for a Pico build; prints the SDK's folder.
# Usage: toolchain.sh CACHE
#
# Uses only the Debian sources of this machine. If its release has no SDK (Debian 12), downloads the
# two packages of the next release into CACHE, with signatures checked and without installing them.
set -eu

mkdir -p "$1"
cache=$(cd "$1" && pwd)
say() { echo "== $*" >&2; }
fail() { echo "firmware/rp2040: $*" >&2; exit 1; }

root=""
if [ "$(id -u)" -ne 0 ]; then root=$(command -v sudo || true); fi

# The missing packages.
missing=""
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need cmake cmake
need make make
need g++ g++
need arm-none-eabi-gcc gcc-arm-none-eabi
if command -v arm-none-eabi-gcc >/dev/null 2>&1; then
    [ "$(arm-none-eabi-gcc -print-file-name=libc_nano.a)" != libc_nano.a ] || missing="$missing libnewlib-arm-none-eabi"
    [ "$(arm-none-eabi-gcc -print-file-name=libstdc++_nano.a)" != libstdc++_nano.a ] || missing="$missing libstdc++-arm-none-eabi-newlib"
else
    missing="$missing libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib"
fi
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || fail "a Pico build needs$missing: install them by hand, this machine has no apt"
    [ "$(id -u)" -eq 0 ] || [ -n "$root" ] || fail "a Pico build needs$missing: install them as root"
    say "installing$missing (once, about a minute)"
    install() { DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing >"$cache/apt.log" 2>&1; }
    install || { $root apt-get update -qq >&2 && install; } || { tail -n 5 "$cache/apt.log" >&2; fail "apt could not install$missing"; }
fi

whole() { [ -f "$1/pico_sdk_init.cmake" ] && { [ -f "$1/lib/tinyusb/src/tusb.h" ] || [ -f "${PICO_TINYUSB_PATH:-}/src/tusb.h" ]; }; }

if [ -n "${PICO_SDK_PATH:-}" ]; then
    whole "$PICO_SDK_PATH" || fail "PICO_SDK_PATH is $PICO_SDK_PATH, which is no pico-sdk with TinyUSB in lib/tinyusb (git submodule update --init lib/tinyusb)"
    echo "$PICO_SDK_PATH"
    exit
fi
for sdk in /usr/src/pico-sdk /usr/share/pico-sdk "$cache/sdk/usr/src/pico-sdk"; do
    if whole "$sdk"; then echo "$sdk"; exit; fi
done

command -v apt-get >/dev/null || fail "no pico-sdk here: set PICO_SDK_PATH to a copy of it (2.1 or newer)"

# If this release has the SDK, download it; else from the next release of the same source.
sources=$cache/next.sources
mkdir -p "$cache/lists/partial" "$cache/archives/partial" "$cache/debs"
next_release() {
    list=$(grep -lsE '^URIs:.*/debian/?([[:space:]]|$)' /etc/apt/sources.list.d/*.sources | head -n 1)
    if [ -n "$list" ]; then
        # The first stanza of Debian itself, with its suites replaced.
        awk 'BEGIN { RS = "" } /URIs:[^\n]*\/debian\/?([ \n]|$)/ { print; exit }' "$list" |
            grep -v '^#' | sed -E 's/^Suites:.*/Suites: trixie/; s/^Components:.*/Components: main/' >"$sources"
    else
        sources=$cache/next.list
        grep -hsE '^deb .*/debian/? ' /etc/apt/sources.list /etc/apt/sources.list.d/*.list | head -n 1 |
            sed -E 's#(/debian/?) .*#\1 trixie main#' >"$sources"
    fi
    [ -s "$sources" ]
}
fetch() { # options for apt-get
    (cd "$cache/debs" && apt-get "$@" -qq download pico-sdk-source tinyusb-source) >"$cache/fetch.log" 2>&1
}
say "fetching pico-sdk-source and tinyusb-source (once, 4 MB)"
if ! fetch; then
    next_release || fail "no Debian source in /etc/apt to fetch pico-sdk-source from: set PICO_SDK_PATH to a copy of the SDK (2.1 or newer)"
    set -- -o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$cache/lists" -o "Dir::Cache=$cache"
    apt-get "$@" -qq update >&2 || fail "apt could not read the package list of Debian 13 (no network?): set PICO_SDK_PATH to a copy of the SDK (2.1 or newer)"
    fetch "$@" || { tail -n 3 "$cache/fetch.log" >&2; fail "apt could not fetch the SDK: set PICO_SDK_PATH to a copy of it (2.1 or newer)"; }
fi
for deb in "$cache"/debs/*.deb; do dpkg-deb -x "$deb" "$cache/sdk"; done
rm -rf "$cache/lists" "$cache/archives" "$cache/debs" "$cache"/*.bin
whole "$cache/sdk/usr/src/pico-sdk" || fail "the fetched SDK in $cache/sdk is not whole: remove that folder and try again"
echo "$cache/sdk/usr/src/pico-sdk"
