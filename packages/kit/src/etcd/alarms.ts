/** The meaning of an alarm, and the way to clear it. */
const meanings: Readonly<Record<string, string>> = {
  NOSPACE: "its database is full, and etcd takes no more writes; capstan etcd defrag makes room and ends the alarm",
  CORRUPT:
    "its data differ from those of the others, and etcd answers nothing about keys; remove the member with etcdctl on the machine of another, disarm the alarm there, then delete its Machine",
};

/** Returns the alarms of a member in words, with what to do about each. For conditions. */
export const describeAlarms = (alarms: readonly string[]): string =>
  `Alarms: ${alarms.map((alarm) => (meanings[alarm] === undefined ? alarm : `${alarm} (${meanings[alarm]})`)).join(", ")}`;
