import { systemClock } from "@capstan/runtime";
import { type FakeClock, fakeClock } from "./clock.ts";

const monthMs = 30 * 86_400_000;

/**
 * A clock for tests that begins at a full second, a month behind the real one: certificates are dated by it and checked by the real one,
 * and are valid however far it is moved, in any year.
 */
export const recentClock = (): FakeClock => fakeClock({ now: Math.floor(systemClock.now() / 1000) * 1000 - monthMs });
