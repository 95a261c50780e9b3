// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a request, in words for people: the runner compares that it was refused, and not why.
// Text that is no number arrives as IllegalArgumentException too, and is refused alike.

final class Rejected extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private Rejected(String reason) {
    super(reason);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;  // an answer, and no accident
  }

  static void rejectIf(boolean broken, String reason) {
    if (broken) throw new Rejected(reason);
  }
}
