//! Tasks to executors.

use super::said::{About, Said};
use super::task::Task;
use super::window::Shown;
use crate::ingest::{RemarkCode, quoted};

/// The tasks of an executor, in order, and the worker they are on.
pub(super) struct Joined<'s> {
    pub(super) tasks: Vec<&'s Task>,
    pub(super) worker: usize,
}

impl<'s> Joined<'s> {
    pub(super) fn first(&self) -> &'s Task {
        self.tasks[0]
    }

    pub(super) fn last(&self) -> &'s Task {
        self.tasks[self.tasks.len() - 1]
    }
}

/// Executors of a window by topology, component id and tasks.
///
/// Only an executor's first task prints `__capacity`, so those without one belong to the one before. Storm deals a
/// component's tasks in ranges whose sizes differ by one at most, the larger first; where what would be joined is not
/// like that, something is missing, and every task is taken for an executor.
pub(super) fn executors<'s>(shown: &Shown<'s>, said: &mut Said) -> Vec<Joined<'s>> {
    let components = &shown.seen.tables.components;
    let here = |task: &'s Task| Some((task, shown.worker_of(task)?));
    let mut present: Vec<(&Task, usize)> = shown.seen.tasks.iter().filter_map(here).collect();
    present.sort_by_key(|(task, _)| (task.topology, &components[task.component].id, task.id));
    let mut all = Vec::new();
    for members in present.chunk_by(|a, b| a.0.component == b.0.component) {
        let joined = joined(members);
        if dealt(&joined) {
            all.extend(joined);
            continue;
        }
        if may_be_joined(members) {
            let component = members[0].0.component;
            said.once(RemarkCode::Guessed, About::Tasks(component), || {
                let id = quoted(&components[component].id);
                format!("{id}: its {} tasks are taken for an executor each", members.len())
            });
        }
        all.extend(members.iter().map(|(task, worker)| Joined { tasks: vec![task], worker: *worker }));
    }
    all
}

/// Each task that does not lead, with the one before it.
fn joined<'s>(members: &[(&'s Task, usize)]) -> Vec<Joined<'s>> {
    let mut all: Vec<Joined<'s>> = Vec::new();
    for (task, worker) in members {
        match all.last_mut() {
            Some(one) if !task.leads && one.worker == *worker && one.last().id + 1 == task.id => {
                one.tasks.push(task);
            }
            _ => all.push(Joined { tasks: vec![task], worker: *worker }),
        }
    }
    all
}

/// They are as Storm deals tasks to executors.
fn dealt(joined: &[Joined<'_>]) -> bool {
    let sizes = || joined.iter().map(|one| one.tasks.len());
    joined.iter().all(|one| one.first().leads)
        && sizes().is_sorted_by(|a, b| a >= b)
        && sizes().max() <= sizes().min().map(|least| least + 1)
}

/// Two tasks follow each other on one worker, so they may be one executor's.
fn may_be_joined(members: &[(&Task, usize)]) -> bool {
    members.windows(2).any(|pair| pair[0].0.id + 1 == pair[1].0.id && pair[0].1 == pair[1].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of the executors that tasks make; `+` leads, `-` does not, a blank is another worker.
    fn sizes(tasks: &str) -> Option<Vec<usize>> {
        let mut worker = 0;
        let mut all = Vec::new();
        for (id, mark) in (1..).zip(tasks.chars()) {
            if mark == ' ' {
                worker += 1;
                continue;
            }
            let mut task = Task::new(id, 0, 0, worker, 0);
            task.leads = mark == '+';
            all.push((task, worker));
        }
        let members: Vec<(&Task, usize)> = all.iter().map(|(task, worker)| (task, *worker)).collect();
        let joined = joined(&members);
        dealt(&joined).then(|| joined.iter().map(|one| one.tasks.len()).collect())
    }

    #[test]
    fn tasks_are_joined_where_the_sizes_are_those_that_storm_deals() {
        assert_eq!(sizes("++++"), Some(vec![1, 1, 1, 1]));
        assert_eq!(sizes("+-+-+"), Some(vec![2, 2, 1]));
        assert_eq!(sizes("+-- +-"), Some(vec![3, 2]));
        // The second executor's first task never ticked, or is not read yet.
        assert_eq!(sizes("+---+-"), None);
        assert_eq!(sizes("++-"), None);
        assert_eq!(sizes("-+-"), None);
        assert_eq!(sizes("--"), None);
    }
}
