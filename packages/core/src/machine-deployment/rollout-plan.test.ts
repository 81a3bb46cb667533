import { seededRandom } from "@capstan/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReplicaPlan, RolloutState, SetSize } from "./rollout-plan.ts";
import { planOnDelete, planPaused, planRollingUpdate } from "./rollout-plan.ts";

const size = (name: string, replicas: number, present = replicas, available = present): SetSize => ({
  name,
  replicas,
  present,
  available,
});

const none = size("", 0);

const state = (desired: number, surge: number, unavailable: number, current: SetSize, ...old: readonly SetSize[]) => ({
  desired,
  maxSurge: surge,
  maxUnavailable: unavailable,
  current,
  old,
});

const planned = ({ current, old }: ReplicaPlan): string => [...old.values(), current].join(" ");

/**
 * Returns the targets of all plans of a rollout, oldest set first, when every set complies at once and every Machine is
 * available.
 */
const sequence = (plan: (state: RolloutState) => ReplicaPlan, start: RolloutState): readonly string[] => {
  const seen: string[] = [];
  let at = start;
  for (let round = 1; round < 40; round++) {
    const next = plan(at);
    if (planned(next) === seen.at(-1)) return seen;
    seen.push(planned(next));
    const old = at.old.map(({ name }) => size(name, next.old.get(name) ?? 0));
    at = { ...at, current: size(at.current.name, next.current), old };
  }
  throw new Error(`does not end: ${seen.join(", ")}`);
};

describe("planRollingUpdate", () => {
  it.each<[number, number, number, readonly string[]]>([
    [3, 1, 0, ["3 1", "2 1", "2 2", "1 2", "1 3", "0 3"]],
    [3, 0, 1, ["2 0", "2 1", "1 1", "1 2", "0 2", "0 3"]],
    [6, 3, 1, ["5 3", "2 4", "1 6", "0 6"]],
    [6, 1, 3, ["3 1", "2 4", "0 5", "0 6"]],
    [6, 10, 0, ["6 6", "0 6"]],
    [6, 0, 10, ["0 0", "0 6"]],
    [0, 1, 0, ["0 0"]],
  ])("replaces %s replicas with maxSurge %s and maxUnavailable %s", (desired, surge, unavailable, expected) => {
    expect(sequence(planRollingUpdate, state(desired, surge, unavailable, none, size("a", desired)))).toEqual(expected);
  });

  it.each<[string, RolloutState, readonly string[]]>([
    [
      "a further template, from the oldest set first",
      state(6, 3, 1, size("c", 0), size("a", 3), size("b", 3)),
      ["2 3 3", "0 2 4", "0 1 6", "0 0 6"],
    ],
    ["a larger deployment", state(12, 3, 1, size("b", 3), size("a", 3)), ["3 12", "0 12"]],
    ["a smaller deployment", state(6, 3, 1, size("b", 6), size("a", 6)), ["0 6"]],
  ])("goes on towards %s", (_, given, expected) => {
    expect(sequence(planRollingUpdate, given)).toEqual(expected);
  });

  it.each<[string, RolloutState, string]>([
    ["scales one set", state(5, 1, 0, size("a", 3)), "5"],
    ["waits for new Machines", state(3, 1, 0, size("b", 1, 1, 0), size("a", 3)), "3 1"],
    ["waits for Machines that leave", state(3, 1, 0, size("b", 1), size("a", 2, 3, 2)), "2 1"],
    ["waits when too few are available already", state(3, 1, 0, size("b", 1, 1, 0), size("a", 3, 3, 2)), "3 1"],
    ["takes unavailable replicas first", state(6, 2, 2, size("c", 2), size("a", 2), size("b", 3, 3, 1)), "2 0 3"],
    ["drops replicas that were never made", state(3, 1, 0, size("c", 0), size("a", 3), size("b", 1, 0, 0)), "3 0 0"],
    [
      "waits for new Machines also when old ones are of no use",
      state(3, 1, 0, size("b", 1, 1, 0), size("a", 3, 3, 0)),
      "3 1",
    ],
    ["waits for useless Machines that leave", state(3, 2, 0, size("b", 2), size("a", 2, 3, 0)), "2 2"],
    ["cannot tell who would go", state(6, 1, 0, size("b", 3, 4, 3), size("a", 4, 4, 3)), "4 3"],
    ["breaks the deadlock then", state(3, 1, 0, size("b", 1), size("a", 3, 3, 2)), "2 1"],
  ])("%s", (_, given, expected) => {
    expect(planned(planRollingUpdate(given))).toBe(expected);
  });
});

describe("planOnDelete", () => {
  it.each<[string, RolloutState, string]>([
    ["replaces nothing by itself", state(3, 0, 0, none, size("a", 3)), "3 0"],
    ["creates", state(3, 0, 0, none), "3"],
    ["waits until the Machine is gone", state(3, 0, 0, none, size("a", 3, 3, 2)), "3 0"],
    ["takes the place of what was deleted", state(3, 0, 0, none, size("a", 3, 2)), "2 1"],
    ["scales up in the current set", state(9, 0, 0, size("b", 0), size("a", 6)), "6 3"],
    [
      "scales down old sets first, the oldest before the others",
      state(3, 0, 0, size("c", 2), size("a", 2), size("b", 2)),
      "0 1 2",
    ],
    ["then the current one", state(1, 0, 0, size("b", 2), size("a", 2)), "0 1"],
    ["counts what was deleted towards a scale-down", state(6, 0, 0, size("b", 1), size("a", 11, 10)), "5 1"],
    ["makes no more Machines than wanted", state(3, 0, 0, size("b", 1), size("a", 1, 2)), "1 1"],
  ])("%s", (_, given, expected) => {
    expect(planned(planOnDelete(given))).toBe(expected);
  });
});

describe("planPaused", () => {
  it.each<[string, RolloutState, string]>([
    ["changes nothing", state(3, 1, 0, size("b", 1), size("a", 3)), "3 1"],
    ["scales one set", state(5, 1, 0, size("a", 3)), "5"],
    ["scales the set of another template", state(5, 1, 0, none, size("a", 3)), "5 0"],
    ["fills an empty current set", state(2, 1, 0, size("b", 0), size("a", 0)), "0 2"],
    ["fills the newest set when there is no current one", state(2, 1, 0, none, size("a", 0), size("b", 0)), "0 2 0"],
    ["grows in proportion", state(12, 0, 0, size("b", 2), size("a", 4)), "8 4"],
    ["gives the newest of equal sets the rest", state(5, 0, 0, size("b", 2), size("a", 2)), "2 3"],
    ["takes the rest from the oldest of equal sets", state(3, 0, 0, size("b", 2), size("a", 2)), "1 2"],
    ["keeps the surplus of a rollout under way", state(6, 1, 0, size("b", 3), size("a", 8)), "5 2"],
    ["goes to nothing", state(0, 1, 0, size("b", 3), size("a", 8)), "0 0"],
  ])("%s", (_, given, expected) => {
    expect(planned(planPaused(given))).toBe(expected);
  });
});

interface SimulatedMachine {
  readonly set: string;
  available: boolean;
  leaving: boolean;
}

/** Sets and Machines that move at random: statuses are old, sets delete whom they like, Machines fail and recover. */
class Simulation {
  readonly machines: SimulatedMachine[] = [];
  readonly replicas = new Map<string, number>();
  readonly reported = new Map<string, { readonly present: number; readonly available: number }>();
  readonly random: ReturnType<typeof seededRandom>;
  readonly limits: Pick<RolloutState, "desired" | "maxSurge" | "maxUnavailable">;
  readonly fails: boolean;

  constructor(
    limits: Pick<RolloutState, "desired" | "maxSurge" | "maxUnavailable">,
    options: { readonly fails: boolean; readonly seed: number; readonly oldSets: number },
  ) {
    this.limits = limits;
    this.fails = options.fails;
    this.random = seededRandom(options.seed);
    for (let set = 0; set <= options.oldSets; set++) this.replicas.set(`s${set}`, 0);
    for (let made = 0; made < limits.desired; made++) {
      const set = `s${this.pick(options.oldSets)}`;
      this.replicas.set(set, (this.replicas.get(set) ?? 0) + 1);
      this.machines.push({ set, available: true, leaving: false });
    }
    for (const set of this.replicas.keys()) this.report(set);
  }

  pick(count: number): number {
    return Math.floor(this.random.next() * count);
  }

  of(set: string): readonly SimulatedMachine[] {
    return this.machines.filter((machine) => machine.set === set);
  }

  report(set: string): void {
    const machines = this.of(set);
    this.reported.set(set, { present: machines.length, available: machines.filter(isAvailable).length });
  }

  state(): RolloutState {
    const sizes = [...this.replicas].map(([name, replicas]): SetSize => {
      const [machines, reported] = [this.of(name), this.reported.get(name)];
      return {
        name,
        replicas,
        present: Math.max(machines.length, reported?.present ?? 0),
        available: Math.min(machines.filter(isAvailable).length, reported?.available ?? 0),
      };
    });
    return { ...this.limits, current: sizes.at(-1) ?? none, old: sizes.slice(0, -1) };
  }

  apply({ current, old }: ReplicaPlan): void {
    for (const [name, replicas] of old) this.replicas.set(name, replicas);
    this.replicas.set([...this.replicas.keys()].at(-1) ?? "", current);
  }

  /** A set does what it is told, to Machines of its own choice. */
  obey(set: string): void {
    const replicas = this.replicas.get(set) ?? 0;
    for (let missing = replicas - this.of(set).length; missing > 0; missing--) {
      this.machines.push({ set, available: false, leaving: false });
    }
    const staying = this.of(set).filter(({ leaving }) => !leaving);
    for (
      let surplus = this.of(set).length - replicas - (this.of(set).length - staying.length);
      surplus > 0;
      surplus--
    ) {
      const [victim] = staying.splice(this.pick(staying.length), 1);
      if (victim !== undefined) victim.leaving = true;
    }
  }

  /** One thing happens somewhere. */
  disturb(): void {
    const set = `s${this.pick(this.replicas.size)}`;
    const machine = this.machines[this.pick(this.machines.length)];
    const dice = this.pick(this.fails ? 5 : 4);
    if (dice === 0) this.obey(set);
    else if (dice === 1) this.report(set);
    else if (machine === undefined) return;
    else if (dice === 2 && machine.leaving) this.machines.splice(this.machines.indexOf(machine), 1);
    else if (dice === 3) machine.available = true;
    else if (dice === 4) machine.available = false;
  }

  /** Everything is done that is under way. */
  finish(): void {
    for (const set of this.replicas.keys()) this.obey(set);
    const staying = this.machines.filter(({ leaving }) => !leaving);
    this.machines.splice(0, this.machines.length, ...staying);
    for (const machine of this.machines) machine.available = true;
    for (const set of this.replicas.keys()) this.report(set);
  }
}

const isAvailable = ({ available, leaving }: SimulatedMachine): boolean => available && !leaving;

/** Available Machines that the planned of a plan may cost at worst. */
const worstLoss = ({ current, old }: RolloutState, plan: ReplicaPlan): number =>
  [...old, current].reduce((loss, set) => {
    const replicas = set === current ? plan.current : (plan.old.get(set.name) ?? 0);
    return loss + Math.min(set.available, Math.max(set.present - replicas, 0));
  }, 0);

const kept = ({ current, old }: RolloutState): ReplicaPlan => ({
  current: current.replicas,
  old: new Map(old.map(({ name, replicas }) => [name, replicas])),
});

const runs = fc.record({
  desired: fc.nat(8),
  maxSurge: fc.nat(4),
  maxUnavailable: fc.nat(4),
  oldSets: fc.integer({ min: 1, max: 3 }),
  seed: fc.nat(),
});

const limitsOf = ({
  desired,
  maxSurge,
  maxUnavailable,
}: Pick<RolloutState, "desired" | "maxSurge" | "maxUnavailable">) => ({
  desired,
  maxSurge,
  maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, desired),
});

describe("a rolling update, whatever happens in between", () => {
  it("never has too many Machines or too few available ones, and ends", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const limits = limitsOf(run);
        const simulation = new Simulation(limits, { ...run, fails: false });
        const check = (): void => {
          expect(simulation.machines.length).toBeLessThanOrEqual(limits.desired + limits.maxSurge);
          const available = simulation.machines.filter(isAvailable).length;
          expect(available).toBeGreaterThanOrEqual(limits.desired - limits.maxUnavailable);
        };
        for (let step = 0; step < 150; step++) {
          if (simulation.pick(4) === 0) simulation.apply(planRollingUpdate(simulation.state()));
          else simulation.disturb();
          check();
        }
        for (let round = 0; round < 60; round++) {
          simulation.finish();
          simulation.apply(planRollingUpdate(simulation.state()));
          check();
        }
        expect([...simulation.replicas.values()].at(-1)).toBe(limits.desired);
        expect(simulation.machines.every(({ set }) => set === `s${run.oldSets}`)).toBe(true);
        expect(simulation.machines).toHaveLength(limits.desired);
      }),
      { numRuns: 300 },
    );
  });

  it("with failing Machines: never too many, no further available one is put at risk, old sets only shrink, and it ends", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const limits = limitsOf(run);
        const simulation = new Simulation(limits, { ...run, fails: true });
        for (let step = 0; step < 150; step++) {
          if (simulation.pick(4) !== 0) {
            simulation.disturb();
            continue;
          }
          const before = simulation.state();
          const plan = planRollingUpdate(before);
          for (const { name, replicas } of before.old) expect(plan.old.get(name)).toBeLessThanOrEqual(replicas);
          expect(plan.current).toBeGreaterThanOrEqual(before.current.replicas);
          const available = [...before.old, before.current].reduce((all, set) => all + set.available, 0);
          const spare = Math.max(available - (limits.desired - limits.maxUnavailable), 0);
          const taken = [...plan.old].reduce(
            (all, [name, replicas]) => all + (before.old.find((set) => set.name === name)?.replicas ?? 0) - replicas,
            0,
          );
          const already = worstLoss(before, kept(before));
          const mayBeDeadlock = taken === 1 && already === 0;
          if (!mayBeDeadlock) expect(worstLoss(before, plan)).toBeLessThanOrEqual(Math.max(spare, already));
          simulation.apply(plan);
          expect(simulation.machines.length).toBeLessThanOrEqual(limits.desired + limits.maxSurge);
        }
        for (let round = 0; round < 60; round++) {
          simulation.finish();
          simulation.apply(planRollingUpdate(simulation.state()));
        }
        expect(simulation.machines.filter(({ set }) => set === `s${run.oldSets}`)).toHaveLength(limits.desired);
        expect(simulation.machines).toHaveLength(limits.desired);
      }),
      { numRuns: 300 },
    );
  });
});

const anySizes = fc.array(
  fc.record({ replicas: fc.nat(6), present: fc.nat(6), available: fc.nat(6) }).map((given) => ({
    ...given,
    available: Math.min(given.available, given.present),
  })),
  { minLength: 1, maxLength: 4 },
);

const anyState = fc.record({ limits: runs.map(limitsOf), sizes: anySizes }).map(({ limits, sizes }): RolloutState => {
  const sets = sizes.map((given, index) => ({ ...given, name: `s${index}` }));
  return { ...limits, current: sets.at(-1) ?? none, old: sets.slice(0, -1) };
});

const totalOf = (plan: ReplicaPlan): number =>
  [...plan.old.values()].reduce((all, replicas) => all + replicas, plan.current);

describe("any state", () => {
  it("paused: is left alone within its limits, and brought into them otherwise", () => {
    fc.assert(
      fc.property(anyState, (given) => {
        const before = totalOf(kept(given));
        const plan = planPaused(given);
        const inside =
          before >= given.desired && (before === 0 || given.desired > 0) && before <= given.desired + given.maxSurge;
        if (inside) expect(plan).toEqual(kept(given));
        expect(totalOf(plan)).toBeGreaterThanOrEqual(given.desired);
        expect(totalOf(plan)).toBeLessThanOrEqual(given.desired + given.maxSurge);
        for (const replicas of [...plan.old.values(), plan.current]) expect(replicas).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("OnDelete: old sets never grow, and planned never exceed what is wanted", () => {
    fc.assert(
      fc.property(anyState, (given) => {
        const plan = planOnDelete(given);
        for (const { name, replicas } of given.old) {
          expect(plan.old.get(name)).toBeLessThanOrEqual(replicas);
          expect(plan.old.get(name)).toBeGreaterThanOrEqual(0);
        }
        expect(totalOf(plan)).toBeLessThanOrEqual(given.desired);
      }),
    );
  });
});
