#!/bin/sh
# Installs Slurm and what signs its messages, where they are not. Their daemons are not started here.
set -eu
PATH="$PATH:/usr/sbin:/sbin"
command -v slurmctld > /dev/null && command -v slurmd > /dev/null && command -v munged > /dev/null &&
  command -v sbatch > /dev/null && exit 0
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurm-wlm munge
