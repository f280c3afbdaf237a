//! The agents of a crowd by their ids. Each has a place that it keeps; places of those who left are used again.

use super::agent::Agent;
use super::settings::AgentId;

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    /// Per place.
    agents: Vec<Option<Agent>>,
    generations: Vec<u32>,
    free: Vec<u32>,
}

impl Roster {
    pub(super) fn add(&mut self, agent: Agent) -> AgentId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.agents.push(None);
            self.generations.push(1);
            self.agents.len() as u32 - 1
        });
        self.agents[index as usize] = Some(agent);
        AgentId { index, generation: self.generations[index as usize] }
    }

    /// False if it is not, or no longer, here.
    pub(super) fn remove(&mut self, id: AgentId) -> bool {
        let here = self.get(id).is_some();
        if here {
            let place = id.index as usize;
            self.agents[place] = None;
            self.generations[place] = self.generations[place].wrapping_add(1);
            self.free.push(id.index);
        }
        here
    }

    pub(super) fn get(&self, id: AgentId) -> Option<&Agent> {
        let agent = self.agents.get(id.index as usize)?.as_ref();
        agent.filter(|_| self.generations[id.index as usize] == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: AgentId) -> Option<&mut Agent> {
        let agent = self.agents.get_mut(id.index as usize)?.as_mut();
        agent.filter(|_| self.generations[id.index as usize] == id.generation)
    }

    /// Who has a place, if somebody has.
    pub(super) fn id_at(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations[index as usize] }
    }

    /// All agents, in the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        let places = (0..).zip(&self.agents);
        places.filter_map(|(index, agent)| Some((self.id_at(index), agent.as_ref()?)))
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = AgentId> {
        self.iter().map(|(id, _)| id)
    }

    pub(super) fn places(&self) -> std::slice::Iter<'_, Option<Agent>> {
        self.agents.iter()
    }

    pub(super) fn places_mut(&mut self) -> std::slice::IterMut<'_, Option<Agent>> {
        self.agents.iter_mut()
    }

    /// As [`Self::places_mut`], for many threads.
    pub(super) fn par_places_mut(&mut self) -> rayon::iter::MinLen<rayon::slice::IterMut<'_, Option<Agent>>> {
        use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator};
        self.agents.par_iter_mut().with_min_len(16)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.agents.capacity() * size_of::<Option<Agent>>()
            + (self.generations.capacity() + self.free.capacity()) * size_of::<u32>()
            + self.iter().map(|(_, agent)| agent.memory_bytes()).sum::<usize>()
    }
}
