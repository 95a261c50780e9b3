// SPDX-License-Identifier: Apache-2.0
//
// A complete adapter in Rust, without crates: `rustc --edition 2021 -O hurray_adapter.rs`. It answers the lines of
// conformance/PROTOCOL.md. Here are lines, kernels and element types; hurray_schemes.rs has quantization descriptors,
// hurray_tensor.rs tensor descriptors, hurray_values.rs the values of tensors and their conversion.
//
// To have a library of your own judged, keep the last part (values, text and verbs) and let its functions
// call yours. What you do not have goes from VERBS and from `hello`: what is not claimed is not asked.

mod hurray_schemes;
mod hurray_tensor;
mod hurray_values;

use hurray_schemes::{Quantization, SCHEMES};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

pub enum Refusal {
    Reject(&'static str),
    Unsupported,
}
use Refusal::{Reject, Unsupported};
type Outcome<T> = Result<T, Refusal>;

fn reject_if(broken: bool, reason: &'static str) -> Outcome<()> {
    if broken { Err(Reject(reason)) } else { Ok(()) }
}

// --- Element types: sub-byte elements fill a byte from its low bits, four of 6 bits fill three bytes

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Signed,
    Unsigned,
    Ieee { fraction: u32, bias: i32 },      // the highest exponent is infinity and NaN
    Finite { fraction: u32, bias: i32 },    // no infinity, no NaN
    OneNan { fraction: u32, bias: i32 },    // no infinity, NaN has all bits set
    PowerOfTwo,                             // float8_e8m0
    Complex,
}
use Form::*;

struct Element {
    tag: u8,
    bits: usize,
    form: Form,
}

const fn element(tag: u8, bits: usize, form: Form) -> Element {
    Element { tag, bits, form }
}

static ELEMENTS: [Element; 24] = [
    element(0x01, 16, Ieee { fraction: 10, bias: 15 }),
    element(0x02, 16, Ieee { fraction: 7, bias: 127 }),
    element(0x03, 32, Ieee { fraction: 23, bias: 127 }),
    element(0x04, 64, Ieee { fraction: 52, bias: 1023 }),
    element(0x10, 8, Signed),
    element(0x11, 8, Unsigned),
    element(0x12, 16, Signed),
    element(0x13, 16, Unsigned),
    element(0x14, 32, Signed),
    element(0x15, 32, Unsigned),
    element(0x16, 64, Signed),
    element(0x17, 64, Unsigned),
    element(0x20, 1, Unsigned),
    element(0x40, 8, OneNan { fraction: 3, bias: 7 }),
    element(0x41, 8, Ieee { fraction: 2, bias: 15 }),
    element(0x42, 8, PowerOfTwo),
    element(0x43, 4, Finite { fraction: 1, bias: 1 }),
    element(0x44, 6, Finite { fraction: 3, bias: 1 }),
    element(0x45, 6, Finite { fraction: 2, bias: 3 }),
    element(0x48, 4, Signed),
    element(0x49, 4, Unsigned),
    element(0x4a, 2, Signed),
    element(0x4b, 2, Unsigned),
    element(0x50, 64, Complex),
];
// What per-tensor affine stores.
static AFFINE: [u8; 10] = [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b];

impl Element {
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    // Of types narrower than 64 bits.
    fn range(&self) -> (i64, i64) {
        match self.form {
            Signed => (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1),
            PowerOfTwo => (1, 254),
            _ => (0, self.mask() as i64),
        }
    }

    fn packed_bytes(&self, count: u64) -> Outcome<u64> {
        let count = count as u128;
        let bytes = if self.bits == 6 { (count + 3) / 4 * 3 } else { (count * self.bits as u128 + 7) / 8 };
        u64::try_from(bytes).map_err(|_| Reject("more bytes than 64 bits count"))
    }

    pub fn find(tag: u32) -> Outcome<&'static Element> {
        ELEMENTS.iter().find(|each| u32::from(each.tag) == tag).ok_or(Reject("element type"))
    }

    // Signed ones with their sign, all others as their bit pattern.
    pub fn unpack(&self, count: u64, data: &[u8]) -> Outcome<Vec<i64>> {
        reject_if(self.packed_bytes(count)? != data.len() as u64, "number of bytes")?;
        let values: Vec<i64> = (0..count as usize).map(|i| self.load(data, i * self.bits)).collect();
        reject_if(self.form == PowerOfTwo && values.iter().any(|c| *c == 0 || *c == 255), "no float8_e8m0")?;
        Ok(values)
    }

    pub fn load(&self, data: &[u8], bit: usize) -> i64 {
        let bytes = data[bit / 8..].iter().take(self.bits / 8 + 2).enumerate();
        let word = bytes.fold(0, |word, (i, byte)| word | u128::from(*byte) << (8 * i));
        let unused = 64 - self.bits;
        let code = ((word >> (bit % 8)) as u64) << unused;
        if self.form == Signed { code as i64 >> unused } else { (code >> unused) as i64 }
    }

    fn pack(&self, values: &[i64]) -> Outcome<Vec<u8>> {
        let mut out = vec![0; self.packed_bytes(values.len() as u64)? as usize];
        for (i, value) in values.iter().enumerate() {
            let bit = i * self.bits;
            let word = u128::from(*value as u64 & self.mask()) << (bit % 8);
            for (k, byte) in out[bit / 8..].iter_mut().take(self.bits / 8 + 2).enumerate() {
                *byte |= (word >> (8 * k)) as u8;
            }
        }
        Ok(out)
    }

    fn pack_checked(&self, values: &[i64]) -> Outcome<Vec<u8>> {
        let outside = |value: &i64| *value < self.range().0 || *value > self.range().1;
        reject_if(self.bits < 64 && values.iter().any(outside), "value outside the type")?;
        self.pack(values)
    }

    // The real value, rounded once.
    fn widen(&self, value: i64) -> Outcome<f32> {
        let pattern = value as u64;
        match self.form {
            Signed => Ok(value as f32),
            Unsigned => Ok(pattern as f32),
            PowerOfTwo => Ok(f32::from_bits((pattern as u32) << 23)),
            Complex => Err(Reject("no real numbers")),
            Ieee { .. } if self.bits == 32 => Ok(f32::from_bits(pattern as u32)),
            Ieee { .. } if self.bits == 64 => Ok(f64::from_bits(pattern) as f32),
            Ieee { fraction, bias } | Finite { fraction, bias } | OneNan { fraction, bias } => {
                Ok(self.small_float(pattern, fraction, bias))
            }
        }
    }

    fn small_float(&self, pattern: u64, fraction: u32, bias: i32) -> f32 {
        let sign = if pattern >> (self.bits - 1) == 1 { -1.0 } else { 1.0 };
        let magnitude = pattern & self.mask() >> 1;
        let (exponent, bits) = ((magnitude >> fraction) as i32, magnitude & ((1 << fraction) - 1));
        let is_highest = magnitude | ((1 << fraction) - 1) == self.mask() >> 1;
        match self.form {
            Ieee { .. } if is_highest => return if bits != 0 { f32::NAN } else { sign * f32::INFINITY },
            OneNan { .. } if magnitude == self.mask() >> 1 => return f32::NAN,
            _ => {}
        }
        let bits = if exponent == 0 { bits } else { bits | 1 << fraction };
        sign * (bits as f64 * 2f64.powi(exponent.max(1) - bias - fraction as i32)) as f32
    }
}

// --- Kernels

fn check_parameters(element: &Element, scale: f32, zero_point: i32) -> Outcome<()> {
    let (low, high) = element.range();
    reject_if(!scale.is_finite() || scale == 0.0, "scale is zero, infinite or not a number")?;
    reject_if((zero_point as i64) < low || zero_point as i64 > high, "zero point outside the storage type")
}

fn dequantize(element: &Element, scale: f32, zero_point: i32, count: u64, q: &[u8]) -> Outcome<Vec<f32>> {
    let codes = element.unpack(count, q)?;
    // Two roundings: of the difference to binary32, then of the product.
    Ok(codes.iter().map(|code| scale * (code - zero_point as i64) as f32).collect())
}

fn quantize(element: &Element, scale: f32, zero_point: i32, input: &[f32]) -> Outcome<Vec<u8>> {
    let (low, high) = element.range();
    // To nearest, ties away from zero, then the zero point, then the bounds. `as` saturates, and makes 0 of NaN.
    let code = |x: &f32| ((x / scale).round() as i64).saturating_add(zero_point as i64).clamp(low, high);
    element.pack(&input.iter().map(code).collect::<Vec<i64>>())
}

fn normalize(bits: usize, bias: i32, high_first: bool, count: u64, packed: &[u8]) -> Outcome<Vec<i32>> {
    reject_if(![2, 4, 8].contains(&bits), "bits")?;
    reject_if((packed.len() as u128) * 8 < count as u128 * bits as u128, "too few bytes")?;
    let per_byte = 8 / bits;
    let field = |i: usize| {
        let place = if high_first { per_byte - 1 - i % per_byte } else { i % per_byte };
        (packed[i / per_byte] >> (place * bits)) as i32 & ((1 << bits) - 1)
    };
    (0..count as usize).map(|i| field(i).checked_add(bias).ok_or(Reject("beyond int32"))).collect()
}

// --- Values and text

struct Request<'a>(HashMap<&'a str, &'a str>);

impl Request<'_> {
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub fn decimal<T: FromStr>(&self, key: &str) -> Outcome<T> {
        self.0[key].parse().map_err(|_| Reject("a number that does not fit"))
    }

    pub fn hex(&self, key: &str) -> Outcome<u32> {
        u32::from_str_radix(self.0[key], 16).map_err(|_| Reject("not hexadecimal"))
    }

    pub fn bytes(&self, key: &str) -> Outcome<Vec<u8>> {
        let digits = self.0[key].as_bytes();
        reject_if(digits.len() % 2 != 0, "half a byte")?;
        let digit = |c: u8| (c as char).to_digit(16).map(|d| d as u8).ok_or(Reject("not hexadecimal"));
        digits.chunks(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
    }

    fn element(&self) -> Outcome<&'static Element> {
        Element::find(self.hex("type")?)
    }

    fn affine(&self) -> Outcome<&'static Element> {
        self.element().and_then(|e| if AFFINE.contains(&e.tag) { Ok(e) } else { Err(Reject("storage type")) })
    }

    pub fn is_permissive(&self) -> bool {
        self.0.get("mode") == Some(&"permissive")
    }

    fn scale(&self) -> Outcome<f32> {
        self.hex("scale").map(f32::from_bits)
    }

    fn floats(&self, key: &str) -> Outcome<Vec<f32>> {
        let floats = from_le(&self.bytes(key)?, f32::from_le_bytes)?;
        reject_if(floats.len() as u64 != self.decimal("count")?, "number of floats")?;
        Ok(floats)
    }
}

fn from_le<T, const N: usize>(bytes: &[u8], read: fn([u8; N]) -> T) -> Outcome<Vec<T>> {
    reject_if(bytes.len() % N != 0, "part of an element")?;
    Ok(bytes.chunks(N).map(|chunk| read(chunk.try_into().unwrap())).collect())
}

fn hex(key: &str, bytes: &[u8]) -> String {
    bytes.iter().fold(format!("{key}="), |text, byte| text + &format!("{byte:02x}"))
}

fn hex_of<T: Copy, const N: usize>(key: &str, values: &[T], write: fn(T) -> [u8; N]) -> String {
    hex(key, &values.iter().flat_map(|value| write(*value)).collect::<Vec<u8>>())
}

// --- Verbs

fn tags(list: impl Iterator<Item = u8>) -> String {
    list.map(|tag| format!("{tag:02x}")).collect::<Vec<_>>().join(",")
}

fn hello(_: &Request) -> Outcome<String> {
    let affine = tags(AFFINE.iter().copied());
    let is_stored = |tag: &u8| SCHEMES.iter().any(|scheme| scheme.storage.contains(tag));
    let stored = tags(ELEMENTS.iter().map(|e| e.tag).filter(is_stored));
    let all = tags(ELEMENTS.iter().map(|e| e.tag));
    Ok(format!("version=1 name=rust contract=hurray,ra8 schemes=1,2,3,4,5 layouts=1,2,3 modes=permissive \
                ops=normalize,pack,unpack,packed_bytes,widen,convert,decode_tensor,encode_tensor,dequantize_tensor \
                types.decode={stored} types.encode={stored} types.dequantize={affine} types.quantize={affine} \
                types.element={all} types.tensor={all}"))
}

fn ra8(request: &Request) -> Outcome<String> {
    let name = request.0["fn"];
    let tag = if name.ends_with("i8") { 0x10 } else { 0x11 };
    let element = Element::find(tag)?;
    let (scale, zero_point) = (request.scale()?, request.decimal("zero_point")?);
    let out = match name {
        "dequantize_i8" | "dequantize_u8" => hex_of(
            "out", &dequantize(element, scale, zero_point, request.decimal("count")?, &request.bytes("in")?)?,
            f32::to_le_bytes),
        "quantize_i8" | "quantize_u8" if !(scale > 0.0 && scale < f32::INFINITY) => return Ok("code=0103".into()),
        "quantize_i8" | "quantize_u8" => hex("out", &quantize(element, scale, zero_point, &request.floats("in")?)?),
        _ => return Err(Unsupported),
    };
    Ok("code=0000 ".to_string() + &out)
}

// Name, keys, keys that may be absent.
type Verb = (&'static str, &'static str, &'static str, fn(&Request) -> Outcome<String>);
static VERBS: [Verb; 15] = [
    ("hello", "version", "", hello),
    ("decode", "type bytes", "", |r| Ok(Quantization::decode(r.element()?.tag, &r.bytes("bytes")?)?.text())),
    ("encode", "type scheme", "flags scale zero_point axis block_size scale_buffer_index zero_point_buffer_index \
      scale_type_tag", |r| Ok(hex("bytes", &Quantization::given(r.element()?.tag, r)?.encode()))),
    ("dequantize", "type scale zero_point count q", "", |r| Ok(hex_of("out", &dequantize(
        r.affine()?, r.scale()?, r.decimal("zero_point")?, r.decimal("count")?, &r.bytes("q")?)?, f32::to_le_bytes))),
    ("quantize", "type scale zero_point count in", "", |r| {
        check_parameters(r.affine()?, r.scale()?, r.decimal("zero_point")?)?;
        Ok(hex("q", &quantize(r.affine()?, r.scale()?, r.decimal("zero_point")?, &r.floats("in")?)?))
    }),
    ("normalize", "bits bias order count packed", "", |r| Ok(hex_of("zero_points", &normalize(
        r.decimal("bits")?, r.decimal("bias")?, r.0["order"] == "high-first", r.decimal("count")?,
        &r.bytes("packed")?)?, i32::to_le_bytes))),
    ("ra8", "fn scale zero_point count in", "", ra8),
    ("pack", "type count values", "", |r| {
        let values = from_le(&r.bytes("values")?, i64::from_le_bytes)?;
        reject_if(values.len() as u64 != r.decimal("count")?, "number of values")?;
        Ok(hex("packed", &r.element()?.pack_checked(&values)?))
    }),
    ("unpack", "type count packed", "", |r| Ok(hex_of(
        "values", &r.element()?.unpack(r.decimal("count")?, &r.bytes("packed")?)?, i64::to_le_bytes))),
    ("packed_bytes", "type count", "", |r| Ok(format!("bytes={}", r.element()?.packed_bytes(r.decimal("count")?)?))),
    ("widen", "type count packed", "", |r| {
        let element = r.element()?;
        let values = element.unpack(r.decimal("count")?, &r.bytes("packed")?)?;
        let reals = values.iter().map(|value| element.widen(*value)).collect::<Outcome<Vec<f32>>>()?;
        Ok(hex_of("out", &reals, f32::to_le_bytes))
    }),
    ("decode_tensor", "bytes", "mode", |r| hurray_tensor::Tensor::decode(&r.bytes("bytes")?, r.is_permissive()).map(|t| t.text())),
    ("encode_tensor", "type layout shape byte_offset buffers", "scheme strides parent_shape shard_offset statistics \
      member_role extension_type flags scale zero_point axis block_size scale_buffer_index zero_point_buffer_index \
      scale_type_tag", |r| Ok(hex("bytes", &hurray_tensor::Tensor::given(r)?.encode()?))),
    ("dequantize_tensor", "bytes count", "mode b*", |r| Ok(hex_of("out", &hurray_values::dequantize(r)?, f32::to_le_bytes))),
    ("convert", "type shape axis group_size bits bias order group_major word_bytes scale_type_tag weights scales plane",
     "group_index super_scales", hurray_values::convert),
];

// `b*` stands for b0 to b254.
fn matches(name: &str, key: &str) -> bool {
    name == key || name == "b*" && key.strip_prefix('b').map_or(false, |number| number.parse::<u8>().is_ok())
}

fn answer(line: &str) -> String {
    let mut words = line.split_ascii_whitespace();
    let (id, name) = (words.next().unwrap_or("0"), words.next().unwrap_or(""));
    let request = Request(words.filter_map(|word| word.split_once('=')).collect());
    // Whoever ignored a verb or key that it does not know could pass without an answer.
    let fits = |verb: &&Verb| {
        let (required, optional) = (verb.1.split_whitespace(), verb.2.split_whitespace());
        verb.0 == name && required.clone().all(|key| request.has(key))
            && request.0.keys().all(|key| required.clone().chain(optional.clone()).any(|each| matches(each, key)))
    };
    match VERBS.iter().find(fits).map_or(Err(Unsupported), |verb| verb.3(&request)) {
        Ok(fields) => format!("{id} ok {fields}\n"),
        Err(Reject(reason)) => format!("{id} reject {reason}\n"),
        Err(Unsupported) => format!("{id} unsupported\n"),
    }
}

fn main() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        output.write_all(answer(&String::from_utf8_lossy(&line)).as_bytes())?;
        line.clear();
        // Many requests are under way; the runner waits only when none is left.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()
}
