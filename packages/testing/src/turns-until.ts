/**
 * Returns the number of turns of the event loop until the work settles, with success or not. Work that blocks the loop
 * takes none; work in a thread takes at least one.
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
