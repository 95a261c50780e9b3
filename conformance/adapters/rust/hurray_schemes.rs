// SPDX-License-Identifier: Apache-2.0
//
// Quantization descriptors of the five schemes: scheme, version and flags, then 32-bit words.

use crate::Refusal::Reject;
use crate::{check_parameters, from_le, reject_if, Element, Outcome, Request, AFFINE};

pub const NO_BUFFER: u32 = 0xffff_ffff;
pub const SYMMETRIC: u16 = 1;
pub const PTA: u8 = 1;
pub const PCA: u8 = 2;
pub const PBA: u8 = 3;
pub const NF4: u8 = 4;
pub const MXFP: u8 = 5;

pub struct Scheme {
    pub tag: u8,
    words: &'static [&'static str], // as the protocol names them; `reserved` is zero and has no name
    pub storage: &'static [u8],
    scale_types: &'static [u32],
    block_sizes: (u32, u32),
}

// The three bytes behind scale_type_tag are zero: read as one word with it they need no rule of their own.
pub static SCHEMES: [Scheme; 5] = [
    Scheme { tag: PTA, words: &["scale", "zero_point", "reserved"], storage: &AFFINE, scale_types: &[], block_sizes: (0, 0) },
    Scheme { tag: PCA, words: &["axis", "scale_buffer_index", "zero_point_buffer_index", "scale_type_tag"],
             storage: &AFFINE, scale_types: &[3], block_sizes: (0, 0) },
    Scheme { tag: PBA, words: &["axis", "block_size", "scale_buffer_index", "zero_point_buffer_index", "scale_type_tag"],
             storage: &[0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b], scale_types: &[1, 2, 3], block_sizes: (2, u32::MAX) },
    Scheme { tag: NF4, words: &["axis", "block_size", "scale_buffer_index"], storage: &[0x49], scale_types: &[],
             block_sizes: (8, u32::MAX) },
    Scheme { tag: MXFP, words: &["axis", "block_size", "scale_buffer_index"],
             storage: &[0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48], scale_types: &[], block_sizes: (16, 2048) },
];

impl Scheme {
    pub fn find(tag: u8) -> Option<&'static Scheme> {
        SCHEMES.iter().find(|each| each.tag == tag)
    }

    fn has_flags(&self) -> bool {
        !self.scale_types.is_empty()
    }

    // Those of the protocol.
    fn keys(&self) -> Vec<&'static str> {
        let words = self.words.iter().copied().filter(|name| *name != "reserved");
        self.has_flags().then_some("flags").into_iter().chain(words).collect()
    }
}

pub struct Quantization {
    pub scheme: &'static Scheme,
    pub flags: u16,
    words: Vec<u32>,
}

impl Quantization {
    pub fn word(&self, name: &str) -> Option<u32> {
        self.scheme.words.iter().position(|each| *each == name).map(|i| self.words[i])
    }

    pub fn is_symmetric(&self) -> bool {
        self.flags == SYMMETRIC
    }

    pub fn decode(tag: u8, bytes: &[u8]) -> Outcome<Quantization> {
        reject_if(bytes.len() < 4, "too short")?;
        let scheme = Scheme::find(bytes[0]).ok_or(Reject("scheme"))?;
        reject_if(bytes[1] != 1 || bytes.len() < 4 + 4 * scheme.words.len(), "version, or too short")?;
        // Bytes behind those of the scheme are for later versions.
        let words = from_le(&bytes[4..4 + 4 * scheme.words.len()], u32::from_le_bytes)?;
        let fields = Quantization { scheme, flags: u16::from_le_bytes([bytes[2], bytes[3]]), words };
        fields.check(tag, false)?;
        Ok(fields)
    }

    // The fields of a request to encode.
    pub fn given(tag: u8, request: &Request) -> Outcome<Quantization> {
        let scheme = Scheme::find(request.decimal("scheme")?).ok_or(Reject("scheme"))?;
        let keys = scheme.keys();
        let is_known = |key: &&str| *key == "flags" || SCHEMES.iter().any(|each| each.words.contains(key));
        let is_strange = |key: &&str| is_known(key) && !keys.contains(key);
        let has_all = keys.iter().all(|key| request.has(key)) && !request.0.keys().any(is_strange);
        reject_if(!has_all, "not the fields of the scheme")?;
        let word = |name: &&str| match *name {
            "reserved" => Ok(0),
            "scale" | "scale_type_tag" => request.hex(name),
            "zero_point" => request.decimal::<i32>(name).map(|value| value as u32),
            _ => request.decimal(name),
        };
        let words = scheme.words.iter().map(word).collect::<Outcome<Vec<u32>>>()?;
        let flags = if scheme.has_flags() { request.hex("flags")? as u16 } else { 0 };
        let fields = Quantization { scheme, flags, words };
        fields.check(tag, true)?;
        Ok(fields)
    }

    pub fn per_block(tag: u8, axis: u32, block_size: u32) -> Outcome<Quantization> {
        let fields = Quantization { scheme: &SCHEMES[2], flags: 0, words: vec![axis, block_size, 1, 2, 3] };
        fields.check(tag, true)?;
        Ok(fields)
    }

    fn check(&self, tag: u8, writes: bool) -> Outcome<()> {
        let Quantization { scheme, flags, .. } = self;
        reject_if(flags & !if scheme.has_flags() { SYMMETRIC } else { 0 } != 0, "flags")?;
        reject_if(!scheme.storage.contains(&tag), "storage type")?;
        reject_if(self.word("reserved").unwrap_or(0) != 0, "reserved bytes")?;
        if let (Some(scale), Some(zero_point)) = (self.word("scale"), self.word("zero_point")) {
            check_parameters(Element::find(tag.into())?, f32::from_bits(scale), zero_point as i32)?;
        }
        if let (Some(scale_type), Some(index)) = (self.word("scale_type_tag"), self.word("zero_point_buffer_index")) {
            reject_if(!scheme.scale_types.contains(&scale_type), "type of the scales")?;
            // A reader of a symmetric PBA descriptor overlooks the index; of PCA, and a writer, it has one value.
            let overlooked = scheme.tag == PBA && self.is_symmetric() && !writes;
            reject_if((index == NO_BUFFER) != self.is_symmetric() && !overlooked, "index of the zero points")?;
        }
        let (least, most) = scheme.block_sizes;
        let is_good = |size: u32| size.is_power_of_two() && least <= size && size <= most;
        reject_if(self.word("block_size").map_or(false, |size| !is_good(size)), "block size")
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![self.scheme.tag, 1, self.flags as u8, (self.flags >> 8) as u8];
        bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    pub fn text(&self) -> String {
        let text = |name: &&str| match (*name, self.word(name).unwrap_or(0)) {
            ("flags", _) => format!(" flags={:04x}", self.flags),
            ("scale", word) => format!(" scale={word:08x}"),
            ("scale_type_tag", word) => format!(" scale_type_tag={word:02x}"),
            ("zero_point", word) => format!(" zero_point={}", word as i32),
            (_, word) => format!(" {name}={word}"),
        };
        format!("scheme={}", self.scheme.tag) + &self.scheme.keys().iter().map(text).collect::<String>()
    }
}
