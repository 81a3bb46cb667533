/** What simulated machines evaluate takes turns with what objects of namespaces do: all of them together are one of those who want it. */
export const flow = "simulated machines";
