/**
 * Says yes to every name once. What was done in a reconcile and is asked for again has to take effect first: doing it over and over
 * would make things twice where the outside world shows its changes late.
 */
export const onceEach = (): ((name: string) => boolean) => {
  const done = new Set<string>();
  return (name) => {
    if (done.has(name)) return false;
    done.add(name);
    return true;
  };
};
