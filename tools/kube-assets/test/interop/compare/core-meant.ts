import type { Meant } from "./requests.ts";

/** Differences of what core makes of scenarios that are meant. */
export const coreMeant: Meant = [
  [/status\.(controlPlane\.|workers\.)?versions/, "versions are of Cluster API 1.14, which is newer than the manager"],
  [/annotations capstan\.dev\//, "a rollout can be undone here after its sets are gone"],
  [
    /\| Cluster \S+ \| status\.conditions\[ControlPlaneInitialized\]\.observedGeneration$/,
    "upstream looks at it no more once it is True",
  ],
  [
    /MachineSet \S+ \| status\.conditions\[MachinesUpToDate\]/,
    "nobody reports UpToDate for Machines of a set that has no deployment",
  ],
  [/\| event (Normal|Warning) /, "Events are of other moments, see docs/compatibility.md"],
];

/** The same of requests. */
export const requestsMeant: Meant = [
  [/^a topology/, "a topology is stored here, and counts once its references are set"],
  [/^replicas below zero|^a surge below zero|^bounds of zero percent|^a range the wrong way/, "no size can be that"],
  [
    /^a strategy without a type/,
    "v1beta2 demands the type; upstream's webhook fills in the default before that is checked",
  ],
  [
    /^(nothing more|another cluster|a long name|replicas|one bound alone|a selector|an empty selector|another selector|a version without a v|a naming|an empty naming|checks skipped|an order|the older version)/,
    "the Cluster's label is in selector and template from admission on, so that applying again changes nothing",
  ],
  [
    /^odd |^an odd (selector|expression)|^a selector that selects nothing|^a bound that is no number/,
    "the field is named",
  ],
  [/^another cluster, afterwards/, "every field that is wrong is named"],
  [/^the older version with no duration/, "what is no duration counts as absent"],
  [/^the older version without references/, "the schema is asked first"],
];
