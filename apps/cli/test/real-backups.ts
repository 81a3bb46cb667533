import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";

/** Where etcd and kube-apiserver are; empty: tests that need them are skipped. */
export const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** What backups and restores of real API servers run with, and what they have written. */
export const backupEnvironment = () => {
  const said: string[] = [];
  const { signal } = new AbortController();
  const write = (line: string): void => void said.push(line);
  return { said, environment: { clock: systemClock, random: cryptoRandom, log: silentLogger, signal, write } };
};
