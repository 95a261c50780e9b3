// SPDX-License-Identifier: Apache-2.0
//
// The real values of a tensor, in row-major order of its shape whatever its layout; and the conversion recipe: weights of
// a foreign toolchain become a per-block affine tensor.

use crate::hurray_schemes::{Quantization, MXFP, NF4, PBA, PCA, PTA};
use crate::hurray_tensor::{parameter_indices, product, scale_bytes, Tensor, COLUMN_MAJOR, DYNAMIC, ROW_MAJOR};
use crate::Refusal::{Reject, Unsupported};
use crate::{check_parameters, from_le, hex, hex_of, normalize, reject_if, Element, Outcome, Request};

const FLOAT32: u32 = 0x03;
const E8M0: u32 = 0x42;
// NF4, as bit patterns of binary32.
const LEVELS: [u32; 16] = [
    0xbf80_0000, 0xbf32_39b1, 0xbf06_6b30, 0xbeca_32a0, 0xbe91_a24d, 0xbe3d_353f, 0xbdba_7871, 0x0000_0000,
    0x3da2_faff, 0x3e24_cae3, 0x3e7c_04dd, 0x3ead_033a, 0x3ee1_a4b8, 0x3f10_07ab, 0x3f39_13b3, 0x3f80_0000,
];

pub fn dequantize(request: &Request) -> Outcome<Vec<f32>> {
    let tensor = Tensor::decode(&request.bytes("bytes")?, request.is_permissive())?;
    reject_if(tensor.is_stepped_over(), "no scheme to compute with")?;
    let count: u64 = request.decimal("count")?;
    let is_counted = !tensor.shape.contains(&DYNAMIC) && product(tensor.shape.iter().copied()) == count.into();
    reject_if(!is_counted, "number of elements")?;
    let mut contents = Vec::new();
    for i in 0..tensor.buffer_count() {
        let key = format!("b{i}");
        // `null` and `none:…` are for adapters that claim calls=none.
        let is_none = request.has(&key) && request.0[key.as_str()].starts_with('n');
        contents.push(if is_none { return Err(Unsupported) } else if request.has(&key) { request.bytes(&key)? } else { vec![] });
        reject_if((contents[i].len() as u64) < tensor.byte_size(i), "a buffer is shorter than its handle says")?;
    }
    if count == 0 {
        return Ok(vec![]);
    }
    let element = Element::find(tensor.tag.into())?;
    let code = |n: u64| element.load(&contents[0], (tensor.byte_offset as i64 * 8 + place(&tensor, n) * element.bits as i64) as usize);
    let fields = match &tensor.quantization {
        None => return (0..count).map(|n| element.widen(code(n))).collect(),
        Some(fields) => fields,
    };
    let (scales, zero_points) = parameters(&tensor, fields, element, &contents)?;
    (0..count).map(|n| {
        let (code, at) = (code(n), parameter_place(&tensor, fields, n));
        match fields.scheme.tag {
            NF4 => Ok(scales[at] * f32::from_bits(LEVELS[code as usize])),
            MXFP => Ok((f64::from(scales[at]) * f64::from(element.widen(code)?)) as f32),
            _ => Ok(scales[at] * (code - i64::from(zero_points[at])) as f32),
        }
    }).collect()
}

// One scale and one zero point for every place; what a scheme excludes is refused.
fn parameters(tensor: &Tensor, fields: &Quantization, element: &Element, contents: &[Vec<u8>]) -> Outcome<(Vec<f32>, Vec<i32>)> {
    let scheme = fields.scheme.tag;
    if scheme == PTA {
        let word = |name| fields.word(name).unwrap_or(0);
        return Ok((vec![f32::from_bits(word("scale"))], vec![word("zero_point") as i32]));
    }
    let (count, width) = (tensor.parameter_count(fields) as usize, scale_bytes(fields));
    let indices = parameter_indices(fields);
    let scale_type = Element::find(if scheme == MXFP { E8M0 } else { fields.word("scale_type_tag").unwrap_or(FLOAT32) })?;
    let codes = scale_type.unpack(count as u64, &contents[indices[0] as usize][..count * width])?;
    let scales = codes.into_iter().map(|code| scale_type.widen(code)).collect::<Outcome<Vec<f32>>>()?;
    let mut zero_points = vec![0; count];
    if let Some(index) = indices.get(1) {
        let start = if *index == indices[0] { count * width } else { 0 };
        zero_points = from_le(&contents[*index as usize][start..start + 4 * count], i32::from_le_bytes)?;
    }
    for (scale, zero_point) in scales.iter().zip(&zero_points) {
        match scheme {
            PCA => check_parameters(element, *scale, *zero_point)?,
            PBA => reject_if(!scale.is_finite() || *scale == 0.0, "scale")?,
            _ => reject_if(!scale.is_finite() || *scale < 0.0, "scale")?,
        }
    }
    Ok((scales, zero_points))
}

// Indices of the n-th element, the last dimension first.
fn indices(tensor: &Tensor, n: u64) -> impl Iterator<Item = (usize, u64)> + '_ {
    let mut rest = n;
    (0..tensor.shape.len()).rev().map(move |dimension| {
        let index = rest % tensor.shape[dimension];
        rest /= tensor.shape[dimension];
        (dimension, index)
    })
}

// Where it lies in the data, in elements.
fn place(tensor: &Tensor, n: u64) -> i64 {
    if let Some(strides) = &tensor.strides {
        return indices(tensor, n).map(|(dimension, index)| index as i64 * strides[dimension]).sum();
    }
    if tensor.layout == COLUMN_MAJOR {
        return indices(tensor, n).fold(0, |at, (dimension, index)| at * tensor.shape[dimension] as i64 + index as i64);
    }
    n as i64
}

// Of the block, or channel, that it belongs to.
fn parameter_place(tensor: &Tensor, fields: &Quantization, n: u64) -> usize {
    if fields.scheme.tag == PTA {
        return 0;
    }
    let axis = fields.word("axis").unwrap_or(0) as usize;
    let inner: u64 = tensor.shape[axis + 1..].iter().product();
    let along = n / inner % tensor.shape[axis];
    if fields.scheme.tag == PCA {
        return along as usize;
    }
    let outer = n / inner / tensor.shape[axis] * inner + n % inner;
    let size = u64::from(fields.word("block_size").unwrap_or(1));
    (outer * tensor.blocks_on_axis(fields) + along / size) as usize
}

pub fn convert(request: &Request) -> Outcome<String> {
    let tag = request.hex("type")? as u8;
    let shape = from_le(&request.bytes("shape")?, u64::from_le_bytes)?;
    let (axis, size): (u32, u32) = (request.decimal("axis")?, request.decimal("group_size")?);
    reject_if(axis as usize >= shape.len() || size == 0 || shape.contains(&DYNAMIC), "form")?;
    let fields = Quantization::per_block(tag, axis, size)?;
    let extent = shape[axis as usize];
    let groups = extent / u64::from(size) + u64::from(extent % u64::from(size) != 0);
    let across = product(shape.iter().enumerate().filter(|(i, _)| *i != axis as usize).map(|(_, size)| *size));
    let weights = request.bytes("weights")?;
    let elements = u64::try_from(product(shape.iter().copied())).map_err(|_| Reject("too many elements"))?;
    let is_whole = Element::find(tag.into())?.packed_bytes(elements)? == weights.len() as u64;
    reject_if(!is_whole, "bytes of weights")?;
    let rows = if elements == 0 { 0 } else { across as u64 };
    let groups = if elements == 0 { 0 } else { groups };
    reject_if(request.has("super_scales") && !request.bytes("super_scales")?.is_empty(), "scales of scales")?;
    if request.has("group_index") {
        let index = from_le(&request.bytes("group_index")?, u32::from_le_bytes)?;
        let is_run = |(i, group): (usize, &u32)| *group as usize == i / size as usize;
        reject_if(index.len() as u64 != extent || !index.iter().enumerate().all(is_run), "groups that are no runs")?;
    }
    // In the order of the source: all groups of a row, or all rows of a group.
    let is_group_major = request.decimal::<u32>("group_major")? != 0;
    let (run, runs) = if is_group_major { (rows, groups) } else { (groups, rows) };
    let zero_points = plane(request, run, runs)?;
    let scales = scales(request, run * runs)?;
    let source = |block: u64| {
        let (row, group) = (block / groups, block % groups);
        (if is_group_major { group * rows + row } else { block }) as usize
    };
    let order: Vec<usize> = (0..run * runs).map(source).collect();
    let handle = |bytes: u64| [&bytes.to_le_bytes()[..], &64u64.to_le_bytes()[..]].concat();
    let bytes = 4 * run * runs;
    let mut tensor = Tensor::default();
    (tensor.tag, tensor.layout, tensor.shape, tensor.quantization) = (tag, ROW_MAJOR, shape, Some(fields));
    tensor.buffers = [handle(weights.len() as u64), handle(bytes), handle(bytes)].concat();
    let descriptor = tensor.encode()?;
    if extent % u64::from(size) != 0 {
        return Err(Unsupported); // a partial last group
    }
    let b1: Vec<f32> = order.iter().map(|i| scales[*i]).collect();
    let b2: Vec<i32> = order.iter().map(|i| zero_points[*i]).collect();
    Ok([hex("bytes", &descriptor), hex("b0", &weights), hex_of("b1", &b1, f32::to_le_bytes),
        hex_of("b2", &b2, i32::to_le_bytes)].join(" "))
}

// Zero points as they follow each other in the plane, normalized.
fn plane(request: &Request, run: u64, runs: u64) -> Outcome<Vec<i32>> {
    let (bits, bias): (usize, i32) = (request.decimal("bits")?, request.decimal("bias")?);
    let is_high_first = request.0["order"] == "high-first";
    let (word_bytes, packed) = (request.decimal::<u32>("word_bytes")?, request.bytes("plane")?);
    reject_if(![1, 4].contains(&word_bytes) || ![2, 4, 8].contains(&bits), "form of the plane")?;
    if word_bytes == 1 || run * runs == 0 {
        return normalize(bits, bias, is_high_first, run * runs, &packed);
    }
    let run_bytes = (run * bits as u64 + 31) / 32 * 4; // each run starts in a word of its own
    reject_if((packed.len() as u64) < runs * run_bytes, "bytes of the plane")?;
    let mut all = Vec::new();
    for words in packed.chunks(run_bytes as usize).take(runs as usize) {
        all.extend(normalize(bits, bias, is_high_first, run, words)?);
    }
    Ok(all)
}

fn scales(request: &Request, count: u64) -> Outcome<Vec<f32>> {
    let tag = request.hex("scale_type_tag")?;
    reject_if(!(1..=3).contains(&tag), "type of the scales")?;
    let element = Element::find(tag)?;
    let codes = element.unpack(count, &request.bytes("scales")?)?;
    let scales = codes.into_iter().map(|code| element.widen(code)).collect::<Outcome<Vec<f32>>>()?;
    reject_if(scales.iter().any(|scale| !scale.is_finite() || *scale == 0.0), "scale")?;
    Ok(scales)
}
