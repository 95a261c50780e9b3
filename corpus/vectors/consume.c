// SPDX-License-Identifier: Apache-2.0
//
// The shortest use of the vectors in C11: compares answers on standard input with the lines of
// FILE.txt.
//   sed -n 's/^> //p' decode.txt | ADAPTER | ./consume decode.txt

#include <stdio.h>
#include <string.h>

static char line[1 << 23], answer[1 << 23], name[512];

static int fits(const char* pattern, const char* text) {
  while (*pattern && *pattern != '*' && *text && (*pattern == '?' || *pattern == *text))
    pattern++, text++;
  return *pattern == '*' || (!*pattern && !*text);
}

int main(int argc, char** argv) {
  long asked = 0, good = 0, unsupported = 0, open = 0;
  FILE* vectors = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!vectors) return fprintf(stderr, "usage: consume FILE.txt <ANSWERS\n"), 2;
  for (int more = 1; more;) {
    more = fgets(line, sizeof line, vectors) != NULL;
    line[strcspn(line, "\n")] = 0;
    if (open && (!more || *line == '>' || *line == ':')) {
      if (strncmp(answer, "unsupported", 11) == 0)
        unsupported++;
      else
        printf("%s: %.200s\n", name, answer);
      open = 0;
    }
    if (!more) break;
    if (*line == ':') snprintf(name, sizeof name, "%.500s", line + 2);
    if (*line == '>') {
      asked++, open = 1;
      if (!fgets(answer, sizeof answer, stdin)) strcpy(answer, "0 (no answer)");
      answer[strcspn(answer, "\n")] = 0;
      memmove(answer, strchr(answer, ' ') ? strchr(answer, ' ') + 1 : answer, strlen(answer));
    }
    if (open && (*line == '=' || *line == '~') && fits(line + 2, answer)) good++, open = 0;
  }
  printf("%ld requests, %ld as expected, %ld unsupported, %ld wrong\n", asked, good, unsupported,
         asked - good - unsupported);
  return good + unsupported != asked || good == 0;
}
