# SPDX-License-Identifier: Apache-2.0
"""What tests of packages share: the packages, of what is built already."""

import os
import pathlib
import subprocess

import harness


def make(folder, *generators):
    """Runs CPack as ci/package.sh does, without building anything. Returns the files by their generator."""
    configuration = os.path.join(harness.BUILD, "CPackConfig.cmake")
    done = subprocess.run(["cpack", "--config", configuration, "-G", ";".join(generators), "-B", str(folder)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(f"cpack: {done.stdout}")
    endings = {"DEB": "*.deb", "TGZ": "*.tar.gz"}
    return [next(pathlib.Path(folder).glob(endings[each])) for each in generators]
