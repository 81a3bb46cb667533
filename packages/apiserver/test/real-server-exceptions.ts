/** Titles of cases that a real kube-apiserver does not pass, and why our server differs on purpose. */
export const realServerExceptions: Readonly<Record<string, string>> = {};
