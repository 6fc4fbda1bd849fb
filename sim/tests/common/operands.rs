//! Operands of the instructions that are compared with hardware: edge values of each kind, and random ones from a stated generator.

/// What the bits of an operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits(u32),
    /// Integer that is not zero.
    Divisor(u32),
    /// Distance of a shift, place of a bit.
    Place,
    Predicate,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    /// Single in the range of approximate functions: moderate, positive, or an exponent.
    Moderate,
    Positive,
    Exponent,
    /// Double of moderate size.
    Moderate64,
    /// Half in the range of approximate functions, one or two.
    Moderate16,
    Moderate16x2,
    ModerateBf16,
    ModerateBf16x2,
}

impl Kind {
    /// Bits of the register.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Kind::Bits(bits) | Kind::Divisor(bits) => bits,
            Kind::Predicate => 1,
            Kind::F16 | Kind::Bf16 | Kind::Moderate16 | Kind::ModerateBf16 => 16,
            Kind::F64 | Kind::Moderate64 => 64,
            Kind::Place
            | Kind::F16x2
            | Kind::Bf16x2
            | Kind::F32
            | Kind::Moderate
            | Kind::Positive
            | Kind::Exponent
            | Kind::Moderate16x2
            | Kind::ModerateBf16x2 => 32,
        }
    }

    /// Edge values.
    fn edges(self) -> Vec<u64> {
        const INTEGERS: [u64; 22] = [
            0,
            1,
            2,
            3,
            7,
            u64::MAX,
            u64::MAX - 1,
            0x8000,
            0x7fff,
            0x8001,
            0x8000_0000,
            0x7fff_ffff,
            0x8000_0001,
            1 << 63,
            (1 << 63) - 1,
            0x55,
            0x80,
            0xff,
            0x1234_5678_9abc_def0,
            0xfedc_ba98_7654_3210,
            0x0100_0001,
            (1 << 53) + 1,
        ];
        const SINGLES: [u32; 30] = [
            0,
            0x8000_0000,
            0x3f80_0000,
            0xbf80_0000,
            0x3f00_0000,
            0x3fc0_0000,
            0x4020_0000,
            0xc020_0000,
            0x3dcc_cccd,
            0xc0e9_999a,
            0x437f_8000,
            0x477f_e000,
            0x477f_f000,
            0x4f00_0000,
            0x4f80_0000,
            0xcf00_0001,
            0x5f01_0000,
            0x0001_16c2,
            0x8000_0001,
            0x0080_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x3380_0000,
            0x4b80_0000,
            0x3f80_0001,
            0x7fc0_0000,
            0x7f80_0001,
            0xffc1_2345,
        ];
        const HALVES: [u64; 20] = [
            0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3555, 0x4900, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c01,
            0x7e00, 0x7c01, 0xfe55, 0x6800,
        ];
        const BFLOATS: [u64; 20] = [
            0, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3eab, 0x4120, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f81,
            0x7fc0, 0x7f81, 0xffd5, 0x4f00,
        ];
        match self {
            Kind::Bits(bits) => INTEGERS.map(|v| v & u64::MAX >> (64 - bits)).to_vec(),
            Kind::Divisor(bits) => Kind::Bits(bits).edges().into_iter().filter(|&v| v != 0).collect(),
            Kind::Place => vec![0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 255, 256, 0xffff_ffff],
            Kind::Predicate => vec![0, 1],
            Kind::F16 => HALVES.to_vec(),
            Kind::Bf16 => BFLOATS.to_vec(),
            Kind::F32 => SINGLES.map(u64::from).to_vec(),
            Kind::F64 => SINGLES
                .into_iter()
                .map(|v| f64::from(f32::from_bits(v)))
                .chain([65519.999, 2_147_483_647.5, -9.3e18, 1.9e19, 1e-310, -5e-324, f64::MIN_POSITIVE, f64::MAX, 3.5e38, 1e-40])
                .map(f64::to_bits)
                .chain([0x7ff0_0000_0000_0001, 0xfff8_1234_5678_9abc])
                .collect(),
            Kind::F16x2
            | Kind::Bf16x2
            | Kind::Moderate
            | Kind::Positive
            | Kind::Exponent
            | Kind::Moderate64
            | Kind::Moderate16
            | Kind::Moderate16x2
            | Kind::ModerateBf16
            | Kind::ModerateBf16x2 => Vec::new(),
        }
    }

    fn random(self, random: &mut Random) -> u64 {
        let bits = random.next();
        // A float of either sign around one, so that sums and products do not all overflow or vanish.
        let moderate = |mantissa: u32, bias: u64, spread: u64| -> u64 {
            let exponent = bias - spread / 2 + (bits >> 32) % spread;
            (bits >> 63) << (mantissa + bias.ilog2() + 2) | exponent << mantissa | bits & ((1 << mantissa) - 1)
        };
        let any = bits >> 40 & 1 == 0;
        match self {
            Kind::Bits(width) => bits & u64::MAX >> (64 - width),
            Kind::Divisor(width) => bits & u64::MAX >> (64 - width) | 1,
            Kind::Place => bits % 70,
            Kind::Predicate => bits & 1,
            Kind::F32 if any => bits & 0xffff_ffff,
            Kind::F32 => moderate(23, 127, 20),
            Kind::F64 if any => random.next(),
            Kind::F64 => (random.next() & ((1 << 52) - 1)) | (1023 - 20 + (bits >> 32) % 40) << 52 | bits >> 63 << 63,
            Kind::F16 if any => bits & 0xffff,
            Kind::F16 => moderate(10, 15, 8),
            Kind::Bf16 if any => bits & 0xffff,
            Kind::Bf16 => moderate(7, 127, 20),
            Kind::F16x2 => Kind::F16.pick(random) | Kind::F16.pick(random) << 16,
            Kind::Bf16x2 => Kind::Bf16.pick(random) | Kind::Bf16.pick(random) << 16,
            Kind::Moderate => moderate(23, 127, 6),
            Kind::Positive => moderate(23, 127, 40) & 0x7fff_ffff,
            Kind::Exponent => u64::from((((bits >> 16 & 0xffff) as f32 / 65536.0 - 0.5) * 240.0).to_bits()),
            Kind::Moderate64 => (random.next() & ((1 << 52) - 1)) | (1023 - 4 + (bits >> 32) % 8) << 52 | bits >> 63 << 63,
            Kind::Moderate16 => moderate(10, 15, 6),
            Kind::Moderate16x2 => Kind::Moderate16.random(random) | Kind::Moderate16.random(random) << 16,
            Kind::ModerateBf16 => moderate(7, 127, 6),
            Kind::ModerateBf16x2 => Kind::ModerateBf16.random(random) | Kind::ModerateBf16.random(random) << 16,
        }
    }

    fn pick(self, random: &mut Random) -> u64 {
        let edges = self.edges();
        let choice = random.next();
        if edges.is_empty() || choice.is_multiple_of(3) { self.random(random) } else { edges[(choice >> 8) as usize % edges.len()] }
    }
}

/// The generator splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 8) as usize % end.max(1)
    }
}

/// Operands of an instruction, three words each: all edge values where there is one operand, then as many mixed ones as make 64 or 96.
pub(crate) fn inputs(kinds: &[Kind]) -> Vec<[u64; 3]> {
    let mut random = Random(kinds.len() as u64);
    let mut rows: Vec<[u64; 3]> = match kinds {
        [one] => one.edges().into_iter().map(|a| [a, 0, 0]).collect(),
        _ => Vec::new(),
    };
    let count = if kinds.len() == 1 { 64 } else { 96 };
    while rows.len() < count {
        let mut row = [0; 3];
        for (word, kind) in row.iter_mut().zip(kinds) {
            *word = if kinds.len() == 1 { kind.random(&mut random) } else { kind.pick(&mut random) };
        }
        rows.push(row);
    }
    rows
}
