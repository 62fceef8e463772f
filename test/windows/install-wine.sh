#!/bin/sh
# Installs Wine, where it is not: with it, Windows programs run here.
set -eu
PATH="$PATH:/usr/lib/wine"
command -v wine64 > /dev/null && command -v wineserver > /dev/null && exit 0
apt-get update
apt-get install -y --no-install-recommends wine64
