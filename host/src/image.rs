//! Which of a module's images suits a device.

use crate::registry::ImageBlob;

/// An architecture name taken apart: `sm_90a` is (90, 'a').
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arch {
    /// Ten times the major plus the minor compute capability.
    capability: u32,
    /// `a`: this very capability only. `f`: this capability and later ones of the same major. None: all later ones.
    suffix: Option<char>,
}

impl Arch {
    fn parse(name: &str) -> Option<Arch> {
        let digits = name.strip_prefix("sm_")?;
        let suffix = digits.chars().last().filter(|last| matches!(last, 'a' | 'f'));
        let digits = digits.trim_end_matches(['a', 'f']);
        Some(Arch { capability: digits.parse().ok()?, suffix })
    }

    fn runs_on(self, device: u32) -> bool {
        match self.suffix {
            Some('a') => self.capability == device,
            Some(_) => self.capability <= device && self.capability / 10 == device / 10,
            None => self.capability <= device,
        }
    }

    /// Orders by capability first; of equals, the more specific one is larger.
    fn rank(self) -> (u32, u8) {
        let specific = match self.suffix {
            Some('a') => 2,
            Some(_) => 1,
            None => 0,
        };
        (self.capability, specific)
    }
}

fn parsed(images: &[ImageBlob]) -> impl Iterator<Item = (Arch, &ImageBlob)> {
    images.iter().filter_map(|image| Some((Arch::parse(image.arch)?, image)))
}

/// The image for the highest architecture that a device of compute capability (major, minor) can run.
///
/// # Errors
/// When there is none: which images there are, and what to do.
pub(crate) fn choose(images: &[ImageBlob], (major, minor): (u32, u32)) -> Result<&ImageBlob, String> {
    let device = 10 * major + minor;
    let best = parsed(images).filter(|(arch, _)| arch.runs_on(device)).max_by_key(|(arch, _)| arch.rank());
    best.map(|(_, image)| image).ok_or_else(|| {
        let archs: Vec<&str> = images.iter().map(|image| image.arch).collect();
        format!(
            "it was built for {}, and the device is sm_{device}; build it with THREADWISE_ARCH=sm_{device} or lower",
            if archs.is_empty() { "no architecture".to_owned() } else { archs.join(", ") }
        )
    })
}

/// The image for the lowest architecture, which uses the fewest special instructions: for the simulator.
pub(crate) fn lowest(images: &[ImageBlob]) -> Option<&ImageBlob> {
    parsed(images).min_by_key(|(arch, _)| arch.rank()).map(|(_, image)| image)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn image(arch: &'static str) -> ImageBlob {
        ImageBlob { arch, ptx: "" }
    }

    fn chosen(images: &[ImageBlob], capability: (u32, u32)) -> Option<&'static str> {
        choose(images, capability).ok().map(|image| image.arch)
    }

    #[test]
    fn highest_architecture_not_above_the_device_is_chosen() {
        let images = [image("sm_75"), image("sm_90"), image("sm_86")];
        assert_eq!(chosen(&images, (8, 9)), Some("sm_86"));
        assert_eq!(chosen(&images, (9, 0)), Some("sm_90"));
        assert_eq!(chosen(&images, (10, 0)), Some("sm_90"));
        assert_eq!(chosen(&images, (7, 5)), Some("sm_75"));
    }

    #[test]
    fn suffix_a_is_for_exactly_that_capability() {
        let images = [image("sm_75"), image("sm_90a"), image("sm_90")];
        assert_eq!(chosen(&images, (9, 0)), Some("sm_90a"));
        assert_eq!(chosen(&images, (10, 0)), Some("sm_90"));
    }

    #[test]
    fn suffix_f_is_for_one_major_version() {
        let images = [image("sm_75"), image("sm_100f")];
        assert_eq!(chosen(&images, (10, 3)), Some("sm_100f"));
        assert_eq!(chosen(&images, (12, 0)), Some("sm_75"));
    }

    #[test]
    fn too_new_images_are_an_error_that_names_them() {
        let message = choose(&[image("sm_90")], (7, 5)).unwrap_err();
        assert!(message.contains("sm_90") && message.contains("THREADWISE_ARCH=sm_75"), "{message}");
    }

    #[test]
    fn simulator_takes_the_lowest() {
        assert_eq!(lowest(&[image("sm_90a"), image("sm_75"), image("sm_90")]).unwrap().arch, "sm_75");
    }
}
