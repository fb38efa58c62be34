//! One reading: every page of the UI that a request needs.

use std::collections::{BTreeMap, BTreeSet};

use super::address::{Access, segment};
use super::client::{Client, Trouble};
use crate::ingest::ui::{Answer, Answers, Origin, Unusable, request};
use crate::ingest::{Fault, Remarks};
use crate::wire::Request;

/// Most pages that one reading asks for.
const MOST_PAGES: usize = 20_000;

/// Errors of single pages after which a reading is given up.
const MOST_ERRORS: usize = 3;

/// A UI that is read again and again.
#[derive(Debug)]
pub struct Ui {
    client: Client,
    /// Visualizations by topology id: streams and groupings do not change while a topology lives.
    drawings: BTreeMap<String, Answer>,
}

/// What came of one reading.
pub(super) enum Reading {
    /// A request.
    Whole(Box<Request>),
    /// Answers that make none: nothing runs, or the cluster changed meanwhile.
    Nothing(Fault),
}

impl Ui {
    /// Makes ready to read; nothing is asked yet.
    ///
    /// # Errors
    /// An address or a certificate that cannot be used.
    pub fn new(access: &Access) -> Result<Self, Fault> {
        Ok(Self { client: Client::new(access)?, drawings: BTreeMap::new() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.client.address()
    }

    /// Reads the UI once, `at` seconds since the epoch.
    pub(super) fn read(
        &mut self,
        at: i64,
        generation: u64,
        remarks: &mut Remarks,
    ) -> Result<Reading, Trouble> {
        let answers = self.answers()?;
        Ok(match request(&answers, self.address(), at, generation, remarks) {
            Ok(request) => Reading::Whole(Box::new(request)),
            Err(fault) => Reading::Nothing(fault),
        })
    }

    fn answers(&mut self) -> Result<Answers, Trouble> {
        let mut answers = Answers::default();
        let mut errors = 0;
        let mut asked = 0;
        let mut forbidden = None;
        let mut listed = self.topologies()?;
        self.drawings.retain(|topology, _| listed.contains(topology));
        take(&mut answers, "supervisor/summary", self.client.ask("supervisor/summary")?);
        for topology in listed.clone() {
            if !listed.contains(&topology) {
                continue;
            }
            let path = format!("topology/{}", segment(&topology));
            let page = match self.client.ask(&format!("{path}?sys=true&window=600")) {
                Ok(page) => page,
                Err(trouble @ Trouble::Error(..)) => {
                    // Killed since the list was read?
                    listed = self.topologies()?;
                    if listed.contains(&topology) {
                        return Err(trouble);
                    }
                    continue;
                }
                Err(trouble @ Trouble::Forbidden(..)) => {
                    answers.add_forbidden(topology);
                    forbidden = Some(trouble);
                    continue;
                }
                Err(trouble) => return Err(trouble),
            };
            let components = page.components();
            asked += components.len() + 2;
            if asked > MOST_PAGES {
                return Err(Trouble::TooMuch(format!("more than {MOST_PAGES} topologies and components")));
            }
            take(&mut answers, &path, page);
            for component in components {
                let path = format!("{path}/component/{}", segment(&component));
                let page = self.part(&mut answers, &path, "?sys=true&window=600", &mut errors)?;
                page.into_iter().for_each(|page| take(&mut answers, &path, page));
            }
            let path = format!("{path}/visualization");
            if !self.drawings.contains_key(&topology)
                && let Some(drawing) = self.part(&mut answers, &path, "", &mut errors)?
            {
                self.drawings.insert(topology.clone(), drawing);
            }
            if let Some(drawing) = self.drawings.get(&topology) {
                take(&mut answers, &path, drawing.clone());
            }
        }
        match forbidden {
            Some(trouble) if asked == 0 => return Err(trouble),
            // Which slots are taken by what is not shown, the supervisors know.
            Some(_) => {
                for supervisor in answers.supervisor_ids() {
                    let path = format!("supervisor?id={}", segment(&supervisor));
                    let page = self.part(&mut answers, &path, "&sys=true", &mut errors)?;
                    page.into_iter().for_each(|page| take(&mut answers, &path, page));
                }
            }
            None => {}
        }
        Ok(answers)
    }

    fn topologies(&self) -> Result<BTreeSet<String>, Trouble> {
        const LIST: &str = "topology/summary";
        let none = || Trouble::Unusable(LIST.to_owned(), "no list of topologies".to_owned());
        self.client.ask(LIST)?.listed().ok_or_else(none)
    }

    /// A page that a request can do without. Where it cannot be had the answers say so, and what it would have said is not
    /// known.
    fn part(
        &self,
        answers: &mut Answers,
        path: &str,
        query: &str,
        errors: &mut usize,
    ) -> Result<Option<Answer>, Trouble> {
        match self.client.ask(&format!("{path}{query}")) {
            Ok(answer) => Ok(Some(answer)),
            Err(Trouble::Error(_, words)) if *errors < MOST_ERRORS => {
                *errors += 1;
                answers.add_failure(path.to_owned(), Unusable::Error(words));
                Ok(None)
            }
            Err(trouble) => Err(trouble),
        }
    }
}

fn take(answers: &mut Answers, path: &str, answer: Answer) {
    answers.add(Origin { saved: 0, name: path.to_owned() }, answer);
}
