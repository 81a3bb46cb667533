import { fakeClock, type FakeClock } from "@capstan/testing";

const monthMs = 30 * 86_400_000;

/** A virtual clock a month behind. Certificates are dated by it and checked by the real one: they are valid however far it is moved. */
export const recentClock = (): FakeClock => fakeClock({ now: Date.now() - monthMs });
