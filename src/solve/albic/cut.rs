//! Graph partitioning: a set of groups in pieces of about one load, with as little traffic between them as may be.
//!
//! By METIS (Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs, SIAM J. Sci.
//! Comput. 1998) where the library was built with it. Otherwise, and where METIS refuses, by the edges with most
//! traffic first: each unites two pieces as long as they are no heavier together than a fair share.

use super::field::Field;

/// A graph: weight of every vertex, and edges between vertices with their weights.
struct Graph {
    weights: Vec<i64>,
    /// By first and second vertex, the first one smaller.
    edges: Vec<(usize, usize, i64)>,
}

/// A set cut into so many pieces at most, none of them empty; members and pieces in ascending order.
pub(super) fn cut(field: &Field, set: &[u32], parts: usize) -> Vec<Vec<u32>> {
    let graph = graph(field, set);
    let piece_of = by_metis(&graph, parts).unwrap_or_else(|| by_edges(&graph, parts));
    let mut pieces = vec![Vec::new(); set.len()];
    for (group, piece) in set.iter().zip(piece_of) {
        pieces[piece].push(*group);
    }
    pieces.retain(|piece: &Vec<u32>| !piece.is_empty());
    pieces.sort_unstable();
    pieces
}

fn graph(field: &Field, set: &[u32]) -> Graph {
    let instance = field.instance();
    let mut edges = Vec::new();
    for (at, group) in set.iter().enumerate() {
        for link in field.links.pairs(*group) {
            if let Ok(other) = set.binary_search(&link.group)
                && other > at
            {
                edges.push((at, other, link.rate));
            }
        }
    }
    Graph { weights: set.iter().map(|group| instance.load[*group as usize]).collect(), edges }
}

/// Pieces by METIS's recursive bisection, which it recommends for few parts.
#[cfg(feature = "metis")]
fn by_metis(graph: &Graph, parts: usize) -> Option<Vec<usize>> {
    use metis::{Graph as Metis, Idx, option::Seed};

    // METIS counts in 32 bits, so weights are scaled down; none may become zero.
    let scale = |all: &mut dyn Iterator<Item = i64>| all.max().unwrap_or(1) / (1 << 16) + 1;
    let (heavy, loud) =
        (scale(&mut graph.weights.iter().copied()), scale(&mut graph.edges.iter().map(|edge| edge.2)));
    let mut neighbors = vec![Vec::new(); graph.weights.len()];
    for (one, other, rate) in &graph.edges {
        let weight = (rate / loud).max(1) as Idx;
        neighbors[*one].push((*other as Idx, weight));
        neighbors[*other].push((*one as Idx, weight));
    }
    let mut starts: Vec<Idx> = vec![0];
    for list in &neighbors {
        starts.push(starts[starts.len() - 1] + list.len() as Idx);
    }
    let (adjacent, edge_weights): (Vec<Idx>, Vec<Idx>) = neighbors.into_iter().flatten().unzip();
    let weights: Vec<Idx> = graph.weights.iter().map(|load| (load / heavy).max(1) as Idx).collect();
    let mut pieces: Vec<Idx> = vec![0; weights.len()];
    Metis::new(1, parts as Idx, &starts, &adjacent)
        .ok()?
        .set_vwgt(&weights)
        .set_adjwgt(&edge_weights)
        .set_option(Seed(1))
        .part_recursive(&mut pieces)
        .ok()?;
    Some(pieces.into_iter().map(|piece| piece as usize).collect())
}

#[cfg(not(feature = "metis"))]
fn by_metis(_: &Graph, _: usize) -> Option<Vec<usize>> {
    None
}

/// Pieces by the edges with most traffic first.
fn by_edges(graph: &Graph, parts: usize) -> Vec<usize> {
    let fair = graph.weights.iter().sum::<i64>() / parts.max(1) as i64;
    let mut piece_of: Vec<usize> = (0..graph.weights.len()).collect();
    let mut weights = graph.weights.clone();
    let mut edges = graph.edges.clone();
    edges.sort_unstable_by_key(|(one, other, rate)| (-rate, *one, *other));
    for (one, other, _) in edges {
        let (one, other) = (piece_of[one].min(piece_of[other]), piece_of[one].max(piece_of[other]));
        if one != other && weights[one] + weights[other] <= fair {
            weights[one] += weights[other];
            piece_of.iter_mut().filter(|piece| **piece == other).for_each(|piece| *piece = one);
        }
    }
    piece_of
}
