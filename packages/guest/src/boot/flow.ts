/** Flow of the evaluations of all simulated machines together, which takes turns with the flows of namespaces. */
export const flow = "simulated machines";
