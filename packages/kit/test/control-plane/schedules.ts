import { seededRandom } from "@capstan/testing";
import { PlannedControlPlane, stepSeconds } from "./planned-control-plane.ts";

const rounds = 4;
const movesOfRound = 3;
/** Within which all has to be settled once nothing fails any more. */
const limitSeconds = 6 * 3600;

/** Plays a schedule of changes and failures that a seed decides. Throws when etcd loses its majority, or the control plane never settles. */
export const playSchedule = (seed: number): void => {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random.next() * count);
  const plane = new PlannedControlPlane(random, seed % 2);
  const done: string[] = [];
  const settle = (): void => {
    for (const server of plane.servers) server.reachable = true;
    const end = plane.now + limitSeconds;
    while (!plane.isSettled) {
      if (plane.now >= end) throw new Error("does not settle");
      plane.step();
    }
  };
  const one = (what: string, work: (server: PlannedControlPlane["servers"][number]) => void): void => {
    const server = plane.servers[pick(plane.servers.length)];
    if (server === undefined) return;
    done.push(`${plane.now}: ${what} ${server.name}`);
    work(server);
  };
  const moves = [
    () => (plane.version += 1),
    () => (plane.replicas = [1, 3, 3, 5][pick(4)] ?? 3),
    () => one("deletes", (server) => plane.delete(server)),
    () =>
      one("loses", (server) => {
        if (server.etcd !== "voter" || plane.outlives(server)) server.runs = false;
      }),
    () =>
      one("cuts off", (server) => {
        server.reachable = false;
      }),
    () =>
      one("reaches", (server) => {
        server.reachable = true;
      }),
    () => (plane.now += pick(900)),
  ];
  try {
    settle();
    for (let round = 0; round < rounds; round += 1) {
      for (let move = 0; move < movesOfRound; move += 1) {
        moves[pick(moves.length)]?.();
        const end = plane.now + random.next() ** 2 * 1200;
        const isSilent = pick(5) === 0;
        while (plane.now < end) plane.step({ crashes: pick(4) === 0, sees: !isSilent });
      }
      settle();
    }
  } catch (cause) {
    const all = [...done, ...plane.decided].toSorted(
      (left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10),
    );
    throw new Error(
      `seed ${seed}, ${stepSeconds} s a step: ${(cause as Error).message}\n${all.slice(-30).join("\n")}\n${plane.described}`,
      {
        cause,
      },
    );
  }
};
