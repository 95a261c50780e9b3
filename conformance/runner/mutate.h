// SPDX-License-Identifier: Apache-2.0
//
// Which requests lie beside the cases of the suite? A request with one field or more replaced by a
// value that implementations get wrong: the ends of ranges and their neighbours, floats of every
// class, ties, other lengths, fields of descriptors, values that another case has there.

#ifndef HURRAY_CONFORMANCE_MUTATE_H
#define HURRAY_CONFORMANCE_MUTATE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/editable_request.h"
#include "conformance/runner/families/families.h"

namespace hurray::conformance {

class Mutator {
 public:
  // Learns which keys each verb takes, and values of them.
  void learn(const Case& item);

  // The request with so many changes. It may be one that nobody may ask: see may_be_asked().
  std::string mutate(Random& random, const std::string& request, unsigned changes) const;

 private:
  void change(Random& random, EditableRequest& request) const;
  void change_kernel(Random& random, EditableRequest& request) const;
  void change_key(Random& random, EditableRequest& request, const std::string& key) const;
  void change_type(Random& random, EditableRequest& request) const;
  void add_call_key(Random& random, EditableRequest& request) const;
  // A value that some case has for this key. False if none was learned.
  bool take_value(Random& random, EditableRequest& request, const std::string& key) const;

  // verb → key → values, sorted
  std::map<std::string, std::map<std::string, std::vector<std::string>>> values_;
};

// Whether PROTOCOL.md and the contracts let a target be asked this: arrays have their lengths, a
// dequantizer has the parameters of a valid descriptor, buffers are those that the tensor says.
bool may_be_asked(const std::string& request);

// --- mutate_values.cpp

// A scale of any class of binary32, as eight digits.
std::uint32_t odd_float(Random& random);
// Ends of ranges of 2 to 64 bits, powers of two, their neighbours, and small numbers.
std::int64_t odd_integer(Random& random);
// 2^8, 2^16 or 2^32: what a reader that keeps too few bits of a field does not see.
std::uint64_t beyond_a_width(Random& random);
// Floats of special_inputs(), ties of the scale and zero point, neighbours, or any bits.
float odd_input(Random& random, float scale, std::int64_t zero_point, std::int64_t least,
                std::int64_t most);
// Writes an odd number of 1, 2, 4 or 8 bytes somewhere.
void change_number(Random& random, Bytes& bytes);
// One field of a descriptor, or its end.
void change_descriptor(Random& random, Bytes& bytes, bool is_tensor);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_MUTATE_H
