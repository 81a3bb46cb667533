/**
 * How often the event loop turns until the work is done, whatever becomes of it. Work that blocks the loop
 * takes none; what is evaluated in a thread takes at least one.
 */
export const turnsUntil = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work.catch(() => undefined);
  isDone = true;
  return turns;
};
