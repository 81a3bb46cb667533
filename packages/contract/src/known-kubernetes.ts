/** Minor versions of Kubernetes 1 that this release knows: what it was tried with, and what simulated machines install. */
export const knownKubernetes = { oldestMinor: 22, newestMinor: 36 } as const;
