import type { TypeTable } from "../type-table.ts";

/** Types of events.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const eventsTypes: TypeTable = {
  Event:
    "metadata 1 ObjectMeta; eventTime 2 MicroTime required; series 3 EventSeries; reportingController 4 string; reportingInstance 5 string; action 6 string; reason 7 string; regarding 8 core.ObjectReference; related 9 core.ObjectReference; note 10 string; type 11 string; deprecatedSource 12 core.EventSource; deprecatedFirstTimestamp 13 Time; deprecatedLastTimestamp 14 Time; deprecatedCount 15 int32",
  EventSeries: "count 1 int32 required; lastObservedTime 2 MicroTime required",
};
