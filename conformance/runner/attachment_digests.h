// SPDX-License-Identifier: Apache-2.0
//
// Is it the same target? What an attachment executes, as digests of files, so that results of
// several machines, or of several days, can be told from those of another build.

#ifndef HURRAY_CONFORMANCE_ATTACHMENT_DIGESTS_H
#define HURRAY_CONFORMANCE_ATTACHMENT_DIGESTS_H

#include <string>
#include <vector>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {

struct FileDigest {
  std::string file;    // as the attachment spells it
  std::string sha256;  // 64 hexadecimal digits

  bool operator==(const FileDigest&) const = default;
};

// `lib:` and `qemu:`: the file that is named. `exec:`: each word of the command that names a
// regular file as it stands, in order; quotes are taken off, and `PATH` is not searched, so that
// interpreters and emulators count only where a path names them. None of a command with `cd` or
// with what a shell has to work out: names may be those of another folder. `builtin:`: none, the
// suite's version says it all. Throws UsageError for a file that cannot be read.
std::vector<FileDigest> digests_of(const Attachment& attachment);

// The words of a line of a POSIX shell, without operators and quotes; nothing is expanded.
std::vector<std::string> words_of_command(const std::string& line);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ATTACHMENT_DIGESTS_H
