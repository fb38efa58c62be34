//! Graph partitioning: vertices in pieces of given weights, with as little traffic between them as may be.
//!
//! By METIS (Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs, SIAM J. Sci.
//! Comput. 1998) where the library was built with it. Otherwise, and where METIS refuses, by the edges with most
//! traffic first: each unites two pieces as long as they are no heavier together than an average piece; there may be
//! more of them then.

/// A graph.
#[derive(Debug, Default)]
pub(in crate::solve) struct Graph {
    /// Weight of every vertex.
    pub(in crate::solve) weights: Vec<i64>,
    /// Two vertices, the smaller one first, and the weight of the edge between them; no two vertices have two edges.
    pub(in crate::solve) edges: Vec<(usize, usize, i64)>,
}

/// Cuts a graph into pieces whose weights are to each other as the shares, as nearly as it can; returned is the piece
/// of every vertex.
pub(in crate::solve) fn cut(graph: &Graph, shares: &[i64]) -> Vec<usize> {
    by_metis(graph, shares).unwrap_or_else(|| by_edges(graph, shares.len()))
}

#[cfg(feature = "metis")]
use super::metis::partition as by_metis;

#[cfg(not(feature = "metis"))]
fn by_metis(_: &Graph, _: &[i64]) -> Option<Vec<usize>> {
    None
}

/// Pieces by the edges with most traffic first.
fn by_edges(graph: &Graph, parts: usize) -> Vec<usize> {
    let fair = graph.weights.iter().sum::<i64>() / parts.max(1) as i64;
    let mut pieces: Vec<Vec<usize>> = (0..graph.weights.len()).map(|vertex| vec![vertex]).collect();
    let mut piece_of: Vec<usize> = (0..pieces.len()).collect();
    let mut weights = graph.weights.clone();
    let mut edges = graph.edges.clone();
    edges.sort_unstable_by_key(|(one, other, weight)| (-weight, *one, *other));
    for (one, other, _) in edges {
        let (one, other) = (piece_of[one].min(piece_of[other]), piece_of[one].max(piece_of[other]));
        if one != other && weights[one] + weights[other] <= fair {
            weights[one] += weights[other];
            let moved = std::mem::take(&mut pieces[other]);
            moved.iter().for_each(|vertex| piece_of[*vertex] = one);
            pieces[one].extend(moved);
        }
    }
    piece_of
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles of equal weights with one weak edge between them.
    fn triangles() -> Graph {
        let edges = vec![(0, 1, 10), (0, 2, 10), (1, 2, 10), (2, 3, 1), (3, 4, 10), (3, 5, 10), (4, 5, 10)];
        Graph { weights: vec![5; 6], edges }
    }

    fn is_cut_in_the_middle(pieces: &[usize]) {
        assert!(pieces[0] == pieces[1] && pieces[1] == pieces[2], "{pieces:?}");
        assert!(pieces[3] == pieces[4] && pieces[4] == pieces[5] && pieces[0] != pieces[3], "{pieces:?}");
    }

    #[test]
    fn the_weakest_edge_is_cut() {
        is_cut_in_the_middle(&cut(&triangles(), &[1, 1]));
        is_cut_in_the_middle(&by_edges(&triangles(), 2));
    }

    #[cfg(feature = "metis")]
    #[test]
    fn pieces_weigh_what_their_shares_say() {
        let graph = Graph { weights: vec![5; 9], edges: (0..8).map(|at| (at, at + 1, 1)).collect() };
        let pieces = cut(&graph, &[1, 2]);
        assert_eq!(pieces.iter().filter(|piece| **piece == 0).count(), 3, "{pieces:?}");
    }

    #[test]
    fn a_graph_smaller_than_its_parts_falls_apart() {
        let graph = Graph { weights: vec![1, 1], edges: vec![(0, 1, 5)] };
        assert_eq!(cut(&graph, &[1, 1, 1]), [0, 1]);
    }
}
