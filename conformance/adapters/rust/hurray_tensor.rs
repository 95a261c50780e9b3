// SPDX-License-Identifier: Apache-2.0
//
// Tensor descriptors, row-major, column-major and strided. A strict reader: everything that the format forbids is
// refused. Where rulings leave a choice it accepts.

use crate::hurray_schemes::{Quantization, Scheme, MXFP, NF4, PCA, PTA};
use crate::{from_le, hex, hex_of, reject_if, Element, Outcome, Request};
use std::collections::BTreeMap;

pub const DYNAMIC: u64 = u64::MAX;
pub const ROW_MAJOR: u8 = 1;
pub const COLUMN_MAJOR: u8 = 2;
pub const STRIDED: u8 = 3;
// Sections that a descriptor has, as bits of its flags.
const QUANTIZATION: u32 = 1;
const SHARD: u32 = 2;
const EXTENSION_TYPE: u32 = 4;
const STATISTICS: u32 = 8;
const MEMBER: u32 = 16;
// Of each device.
const HIGHEST_CLASS: [u8; 9] = [2, 3, 3, 2, 3, 0, 2, 3, 2];

fn is_private(tag: u8) -> bool {
    (0xf0..=0xfe).contains(&tag)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Outcome<&'a [u8]> {
        reject_if(count > self.0.len(), "behind the end")?;
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        Ok(taken)
    }

    fn u8(&mut self) -> Outcome<u8> {
        Ok(self.bytes(1)?[0])
    }

    fn u32(&mut self) -> Outcome<u32> {
        Ok(from_le(self.bytes(4)?, u32::from_le_bytes)?[0])
    }

    fn u64s(&mut self, count: usize) -> Outcome<Vec<u64>> {
        from_le(self.bytes(8 * count)?, u64::from_le_bytes)
    }
}

#[derive(Default)]
pub struct Tensor {
    length: u32,
    minor: u8,
    pub tag: u8,
    pub layout: u8,
    pub shape: Vec<u64>,
    pub byte_offset: u64,
    pub strides: Option<Vec<i64>>,
    pub buffers: Vec<u8>, // handles as they lie on the wire, 16 bytes each
    pub quantization: Option<Quantization>,
    unknown_scheme: Option<u8>, // stepped over
    shard: Option<(Vec<u64>, Vec<u64>)>,
    statistics: Option<Vec<u8>>,
    member_role: Option<u8>,
    extension_type: Option<Vec<u8>>,
}

impl Tensor {
    // --- From bytes and text, and to them

    pub fn decode(data: &[u8], is_permissive: bool) -> Outcome<Tensor> {
        let mut reader = Reader(data);
        reject_if(reader.bytes(4)? != b"HRRY" || reader.u8()? != 1, "magic or version")?;
        let mut tensor = Tensor { minor: reader.u8()?, length: reader.u32()?, ..Tensor::default() };
        reject_if(tensor.length < 20 || tensor.length as usize > data.len(), "descriptor_length")?;
        reader = Reader(&data[10..tensor.length as usize]);
        let flags = reader.u32()?;
        (tensor.tag, tensor.layout) = (reader.u8()?, reader.u8()?);
        let rank = reader.u32()? as usize;
        reject_if(flags >> 5 != 0 || rank > 64 || !(1..=3).contains(&tensor.layout), "flags, rank or layout")?;
        tensor.shape = reader.u64s(rank)?;
        tensor.byte_offset = reader.u64s(1)?[0];
        if tensor.layout == STRIDED {
            tensor.strides = Some(reader.u64s(rank)?.into_iter().map(|stride| stride as i64).collect());
        }
        let count = reader.u8()? as usize;
        tensor.buffers = reader.bytes(16 * count)?.to_vec();
        tensor.read_sections(reader, flags, is_permissive)?;
        tensor.check()?;
        Ok(tensor)
    }

    fn read_sections(&mut self, mut reader: Reader, flags: u32, is_permissive: bool) -> Outcome<()> {
        let rank = self.shape.len();
        if flags & QUANTIZATION != 0 {
            let length = reader.u32()? as usize;
            let section = reader.bytes(length)?;
            let is_unknown = length >= 4 && ![0, 0xff].contains(&section[0]) && Scheme::find(section[0]).is_none();
            if is_permissive && is_unknown {
                self.unknown_scheme = Some(section[0]);
            } else {
                self.quantization = Some(Quantization::decode(self.tag, section)?);
            }
        }
        if flags & SHARD != 0 {
            self.shard = Some((reader.u64s(rank)?, reader.u64s(rank)?));
        }
        if flags & STATISTICS != 0 {
            self.statistics = Some(reader.bytes(72)?.to_vec());
        }
        if flags & EXTENSION_TYPE != 0 {
            self.extension_type = Some(reader.bytes(20)?.to_vec());
        }
        if flags & MEMBER != 0 {
            self.member_role = Some(reader.u8()?);
            reject_if(reader.bytes(15)?.iter().any(|byte| *byte != 0), "reserved bytes")?;
        }
        Ok(())
    }

    pub fn given(request: &Request) -> Outcome<Tensor> {
        let u64s = |key| from_le(&request.bytes(key)?, u64::from_le_bytes);
        let tag = request.hex("type")? as u8;
        let optional = |key| if request.has(key) { request.bytes(key).map(Some) } else { Ok(None) };
        let tensor = Tensor {
            tag,
            layout: request.decimal("layout")?,
            shape: u64s("shape")?,
            byte_offset: request.decimal("byte_offset")?,
            strides: optional("strides")?.map(|bytes| from_le(&bytes, i64::from_le_bytes)).transpose()?,
            buffers: request.bytes("buffers")?,
            quantization: if request.has("scheme") { Some(Quantization::given(tag, request)?) } else { None },
            shard: if request.has("parent_shape") { Some((u64s("parent_shape")?, u64s("shard_offset")?)) } else { None },
            statistics: optional("statistics")?,
            member_role: if request.has("member_role") { Some(request.hex("member_role")? as u8) } else { None },
            extension_type: optional("extension_type")?,
            ..Tensor::default()
        };
        Ok(tensor)
    }

    pub fn encode(&self) -> Outcome<Vec<u8>> {
        let rank = self.shape.len();
        reject_if((self.layout == STRIDED) != self.strides.is_some(), "strides")?;
        let has_rank = self.strides.as_ref().map_or(true, |strides| strides.len() == rank)
            && self.shard.as_ref().map_or(true, |(parent, offset)| parent.len() == rank && offset.len() == rank);
        reject_if(!has_rank || self.buffers.len() % 16 != 0, "rank, or part of a handle")?;
        self.check()?;
        let mut body = le(&self.shape);
        body.extend(self.byte_offset.to_le_bytes());
        body.extend(self.strides.iter().flatten().flat_map(|stride| stride.to_le_bytes()));
        body.push((self.buffers.len() / 16) as u8);
        body.extend(&self.buffers);
        let mut flags = 0;
        if let Some(quantization) = &self.quantization {
            let section = quantization.encode();
            flags |= QUANTIZATION;
            body.extend((section.len() as u32).to_le_bytes());
            body.extend(section);
        }
        if let Some((parent, offset)) = &self.shard {
            flags |= SHARD;
            body.extend([le(parent), le(offset)].concat());
        }
        let role = self.member_role.map(|role| [vec![role], vec![0; 15]].concat());
        let rest = [(STATISTICS, &self.statistics), (EXTENSION_TYPE, &self.extension_type), (MEMBER, &role)];
        for (flag, section) in rest {
            flags |= if section.is_some() { flag } else { 0 };
            body.extend(section.iter().flatten());
        }
        let length = 20 + body.len() as u32;
        let mut bytes = b"HRRY\x01\x00".to_vec();
        bytes.extend([length.to_le_bytes(), flags.to_le_bytes()].concat());
        bytes.extend([self.tag, self.layout]);
        bytes.extend((rank as u32).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    pub fn text(&self) -> String {
        let mut text = format!("length={} version=1.{} type={:02x} layout={} byte_offset={} {} {}", self.length, self.minor,
                               self.tag, self.layout, self.byte_offset, hex("shape", &le(&self.shape)),
                               hex("buffers", &self.buffers));
        let mut add = |word: String| text += &format!(" {word}");
        if let Some(strides) = &self.strides {
            add(hex_of("strides", strides, i64::to_le_bytes));
        }
        if let Some(quantization) = &self.quantization {
            add(quantization.text());
        }
        if let Some(scheme) = self.unknown_scheme {
            add(format!("scheme={scheme}"));
        }
        if let Some((parent, offset)) = &self.shard {
            add(hex("parent_shape", &le(parent)));
            add(hex("shard_offset", &le(offset)));
        }
        if let Some(statistics) = &self.statistics {
            add(hex("statistics", statistics));
        }
        if let Some(role) = self.member_role {
            add(format!("member_role={role:02x}"));
        }
        if let Some(extension_type) = &self.extension_type {
            add(hex("extension_type", extension_type));
        }
        text
    }

    // --- Rules

    fn check(&self) -> Outcome<()> {
        let is_private = is_private(self.tag);
        reject_if(!is_private && Element::find(self.tag.into()).is_err(), "element type")?;
        reject_if(is_private != self.extension_type.is_some(), "extension type")?;
        let is_quantized = self.quantization.is_some() || self.unknown_scheme.is_some();
        reject_if(is_private && is_quantized, "private element type")?;
        reject_if(!(1..=3).contains(&self.layout) || self.shape.len() > 64, "layout or rank")?;
        reject_if(self.shape.is_empty() && self.layout != ROW_MAJOR, "rank")?;
        self.check_handles()?;
        self.check_sections()?;
        match &self.quantization {
            Some(quantization) => self.check_quantization(quantization)?,
            None => reject_if(!is_quantized && self.buffer_count() != 1, "number of buffers")?,
        }
        if is_private || self.unknown_scheme.is_some() || self.shape.contains(&DYNAMIC) {
            return reject_if(self.byte_offset > self.byte_size(0), "data buffer");
        }
        let (first, end) = self.data_range()?;
        let offset = i128::from(self.byte_offset);
        reject_if(offset + first < 0 || end.saturating_add(offset) > self.byte_size(0).into(), "data buffer")
    }

    pub fn is_stepped_over(&self) -> bool {
        self.unknown_scheme.is_some()
    }

    pub fn buffer_count(&self) -> usize {
        self.buffers.len() / 16
    }

    pub fn byte_size(&self, index: usize) -> u64 {
        self.buffers[16 * index..16 * index + 8].iter().rev().fold(0, |size, byte| size << 8 | u64::from(*byte))
    }

    fn check_handles(&self) -> Outcome<()> {
        reject_if(!(1..=255).contains(&self.buffer_count()), "number of buffers")?;
        for (i, handle) in self.buffers.chunks(16).enumerate() {
            let alignment = u32::from_le_bytes([handle[8], handle[9], handle[10], handle[11]]);
            let is_aligned = alignment.is_power_of_two() && (self.byte_size(i) == 0 || alignment >= 64);
            reject_if(!is_aligned, "alignment")?;
            let (device, sync, class) = (handle[12], handle[13], handle[14]);
            let highest = HIGHEST_CLASS.get(device as usize).copied().or(is_private(device).then_some(0));
            let is_known = highest.map_or(false, |most| class <= most) || is_private(device) && is_private(class);
            reject_if(!is_known, "device or memory class")?;
            reject_if(sync > if device == 0 { 0 } else { 2 } || handle[15] != 0, "sync mode or reserved byte")?;
            let is_elsewhere = (device, class) != (self.buffers[12], self.buffers[14]);
            reject_if(is_elsewhere, "buffers in several places")?;
        }
        Ok(())
    }

    fn check_sections(&self) -> Outcome<()> {
        for (i, size) in self.shape.iter().enumerate() {
            if let Some((parent, offset)) = &self.shard {
                let is_open = *size == DYNAMIC || parent[i] == DYNAMIC;
                let is_inside = u128::from(offset[i]) + u128::from(*size) <= parent[i].into();
                reject_if(!is_open && !is_inside, "shard outside its parent")?;
            }
        }
        let mask = self.statistics.as_ref().map_or(0, |s| u32::from_le_bytes([s[0], s[1], s[2], s[3]]));
        reject_if(mask >> 6 != 0, "statistics mask")?;
        reject_if(self.member_role.unwrap_or(0) > 1, "member role")
    }

    // What a scheme asks of shape and buffers.
    fn check_quantization(&self, fields: &Quantization) -> Outcome<()> {
        if fields.scheme.tag == PTA {
            return reject_if(self.buffer_count() != 1, "number of buffers");
        }
        let axis = fields.word("axis").unwrap_or(0) as usize;
        reject_if(axis >= self.shape.len() || self.shape[axis] == DYNAMIC, "axis")?;
        let extent = self.shape[axis];
        if let Some(size) = fields.word("block_size").map(u64::from) {
            let is_whole = extent != 0 && extent % size == 0;
            reject_if(fields.scheme.tag == MXFP && !is_whole, "not a multiple of the block size")?;
            reject_if(fields.scheme.tag != MXFP && 0 < extent && extent < size, "blocks longer than the axis")?;
        }
        let needed = self.parameter_sizes(fields);
        reject_if(needed.contains_key(&0) || self.buffer_count() != 1 + needed.len(), "indices or number of buffers")?;
        // Blocks depend on all dimensions, channels on one, which is known.
        let is_counted = fields.scheme.tag == PCA || !self.shape.contains(&DYNAMIC);
        for (index, bytes) in needed {
            reject_if(index as usize >= self.buffer_count(), "index of a buffer")?;
            let is_right = u128::from(self.byte_size(index as usize)) == bytes;
            reject_if(is_counted && !is_right, "size of a parameter buffer")?;
        }
        Ok(())
    }

    // Buffer index: bytes. Both arrays may lie in one buffer, the scales first.
    fn parameter_sizes(&self, fields: &Quantization) -> BTreeMap<u32, u128> {
        let mut sizes = BTreeMap::new();
        for (index, width) in parameter_indices(fields).into_iter().zip([scale_bytes(fields), 4]) {
            let bytes: &mut u128 = sizes.entry(index).or_insert(0);
            *bytes = bytes.saturating_add(self.parameter_count(fields).saturating_mul(width as u128));
        }
        sizes
    }

    // Of per-channel every index is a block; the last block may be a partial one.
    pub fn blocks_on_axis(&self, fields: &Quantization) -> u64 {
        let size = u64::from(fields.word("block_size").unwrap_or(1));
        let extent = self.shape[fields.word("axis").unwrap_or(0) as usize];
        extent / size + u64::from(extent % size != 0)
    }

    pub fn parameter_count(&self, fields: &Quantization) -> u128 {
        let blocks = u128::from(self.blocks_on_axis(fields));
        let axis = fields.word("axis").unwrap_or(0) as usize;
        let others = self.shape.iter().enumerate().filter(|(i, _)| *i != axis).map(|(_, size)| *size);
        if fields.scheme.tag == PCA { blocks } else { blocks.saturating_mul(product(others)) }
    }

    // (first, end) of the data's bytes, counted from byte_offset.
    fn data_range(&self) -> Outcome<(i128, i128)> {
        let element = Element::find(self.tag.into())?;
        if self.shape.contains(&0) {
            return Ok((0, 0));
        }
        let most = i128::MAX as u128;
        let (mut low, mut high) = (0i128, (product(self.shape.iter().copied()).min(most) - 1) as i128);
        if let Some(strides) = &self.strides {
            high = 0;
            for (extent, stride) in self.shape.iter().zip(strides) {
                let reach = (i128::from(*extent) - 1) * i128::from(*stride);
                (low, high) = (low.saturating_add(reach.min(0)), high.saturating_add(reach.max(0)));
            }
        }
        // In runs that fill their bytes.
        let bits = element.bits as i128;
        let (elements, size) = if bits == 6 { (4, 3) } else { ((8 / bits).max(1), (bits / 8).max(1)) };
        let run = |at: i128| at.div_euclid(elements);
        Ok((run(low).saturating_mul(size), run(high).saturating_add(1).saturating_mul(size)))
    }
}

fn le(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

// 0 if a factor is, whatever the others are.
pub fn product(mut sizes: impl Iterator<Item = u64> + Clone) -> u128 {
    if sizes.clone().any(|size| size == 0) {
        return 0;
    }
    sizes.by_ref().fold(1, |all: u128, size| all.saturating_mul(size.into()))
}

pub fn parameter_indices(fields: &Quantization) -> Vec<u32> {
    let scales = fields.word("scale_buffer_index");
    let zero_points = if fields.is_symmetric() { None } else { fields.word("zero_point_buffer_index") };
    scales.into_iter().chain(zero_points).collect()
}

pub fn scale_bytes(fields: &Quantization) -> usize {
    match (fields.scheme.tag, fields.word("scale_type_tag")) {
        (NF4, _) | (_, Some(3)) => 4,
        (MXFP, _) => 1,
        _ => 2,
    }
}
