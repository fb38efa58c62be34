//! Utilization as a bar of text.

/// Characters of a full bar.
const WIDTH: usize = 20;
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const FULL: char = '█';
const MEAN: char = '┊';

/// A bar of a utilization; `top` is where it is full. The mean shows where the bar does not reach it.
pub(crate) fn bar(utilization: f64, mean: f64, top: f64) -> String {
    let eighths = |value: f64| ((value / top).clamp(0.0, 1.0) * (WIDTH * 8) as f64).round() as usize;
    let filled = eighths(utilization);
    let mut bar: Vec<char> = vec![' '; WIDTH];
    bar[..filled / 8].fill(FULL);
    if filled < WIDTH * 8 {
        bar[filled / 8] = EIGHTHS[filled % 8];
    }
    let mark = (eighths(mean) / 8).min(WIDTH - 1);
    if bar[mark] == ' ' {
        bar[mark] = MEAN;
    }
    bar.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_marks_the_mean_it_does_not_reach() {
        assert_eq!(bar(0.5, 0.25, 1.0), "██████████          ");
        assert_eq!(bar(0.0, 0.5, 1.0), "          ┊         ");
        assert_eq!(bar(0.025, 0.0, 1.0), "▌                   ");
        assert_eq!(bar(1.2, 0.5, 1.2), "████████████████████");
    }

    #[test]
    fn a_bar_never_leaves_its_width() {
        for utilization in [-1.0, 0.0, 0.999, 1.0, 7.0, f64::MAX] {
            assert_eq!(bar(utilization, 9.0, 1.0).chars().count(), WIDTH);
        }
    }
}
