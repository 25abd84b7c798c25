"""`jobs`: durable background work; each change to a running job is fenced by its lease."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, get_args

from pydantic import ValidationError

from app.clock import EPOCH
from app.database.connection import Database, DuplicateKey, Index, store_errors
from app.database.models import plain
from app.domain.job import Job, JobKind, JobStatus, job_id
from app.errors import LeaseLost

COLLECTION = "jobs"
INDEXES = (
    Index([("status", 1), ("run_at", 1)]),
    Index([("status", 1), ("lease.expires_at", 1)]),
    Index([("subject", 1), ("created_at", 1)]),
    Index([("expires_at", 1)]),
    Index([("raw_until", 1)]),
)
DONE_KEPT = timedelta(days=7)
DEAD_KEPT = timedelta(days=30)
DEAD_RESTS = timedelta(days=1)
RAW_KEPT = timedelta(days=7)
RAW_CHARS = 400


class JobStore:
    """One row a job; the same work has the same id and is never there twice."""

    def __init__(self, db: Database, lease_secs: float) -> None:
        self._rows = db[COLLECTION]
        self._lease = timedelta(seconds=lease_secs)

    async def enqueue(
        self,
        kind: JobKind,
        *,
        subject: int,
        run_at: datetime,
        conversation: str | None = None,
        args: dict[str, Any] | None = None,
        period: str = "",
        raw: str | None = None,
    ) -> bool:
        """Ask for work; True when that adds a run to come, False when it was to come already.

        A job that waits runs at the earlier time; one that runs, runs again. One that failed
        keeps its pause. One that is done starts anew, but for a period's, which was its only
        one. A dead one starts anew when it has been dead for a day: whoever asks still needs it.
        """
        fields = args or {}
        job = Job(
            id=job_id(kind, subject, conversation, fields, period),
            kind=kind,
            subject=subject,
            conversation=conversation,
            args=fields,
            run_at=run_at,
            created_at=run_at,
            raw=raw[:RAW_CHARS] if raw else None,
            raw_until=run_at + RAW_KEPT if raw else None,
        )
        document = {k: v for k, v in plain(job).items() if k != "id"}
        with store_errors():
            try:
                await self._rows.insert_one({"_id": job.id, **document})
                return True
            except DuplicateKey:
                pass
            running = await self._rows.update_one(
                {"_id": job.id, "status": "running"}, {"$set": {"again": True}}
            )
            if running.matched_count:
                return bool(running.modified_count)
            waiting = await self._rows.update_one(
                {"_id": job.id, "status": "waiting", "attempts": 0}, {"$min": {"run_at": run_at}}
            )
            if waiting.matched_count or period:
                return False
            # The lease stays in the row: its fence may never count the same number twice.
            rested = run_at + DEAD_KEPT - DEAD_RESTS
            over = [{"status": "done"}, {"status": "dead", "expires_at": {"$lte": rested}}]
            anew = await self._rows.update_one(
                {"_id": job.id, "$or": over}, {"$set": document, "$unset": {"expires_at": ""}}
            )
        return bool(anew.matched_count)

    async def claim(
        self, owner: str, now: datetime, limit: int, busy: Collection[int] = ()
    ) -> list[Job]:
        """Take due jobs under a lease: one a subject, none of the subjects that are `busy`.

        Those whose worker went away come first, and that counts as an attempt of theirs.
        A row that makes no sense is given up.
        """
        taken: dict[int, Job] = {}
        with store_errors():
            for condition, order in (
                ({"status": "running", "lease.expires_at": {"$lte": now}}, "lease.expires_at"),
                ({"status": "waiting", "run_at": {"$lte": now}}, "run_at"),
            ):
                cursor = self._rows.find({**condition, **_not_of(busy)}).sort(order, 1)
                for document in [row async for row in cursor.limit(limit)]:
                    if len(taken) >= limit:
                        break
                    if document.get("subject") in taken:
                        continue
                    job = await self._take(document, owner, now)
                    if job is not None:
                        taken[job.subject] = job
        return list(taken.values())

    async def _take(self, document: dict[str, Any], owner: str, now: datetime) -> Job | None:
        fence = (document.get("lease") or {}).get("fence", 0)
        condition: dict[str, Any] = {"_id": document["_id"], "status": document["status"]}
        condition["lease.fence"] = fence if fence else {"$exists": False}
        values: dict[str, Any] = {
            "status": "running",
            "again": False,
            "lost": document["status"] == "running",
            "lease": {"owner": owner, "expires_at": now + self._lease, "fence": fence + 1},
        }
        if values["lost"]:
            values["attempts"] = document.get("attempts", 0) + 1
        job = _job({**document, **values})
        if job is None:
            values = {"status": "dead", "last_error": "unreadable", "expires_at": now + DEAD_KEPT}
        result = await self._rows.update_one(condition, {"$set": values})
        return job if result.matched_count else None

    async def take_back(self, owner: str) -> None:
        """Let go of what an earlier process of this owner held when it ended.

        A job that took its worker down before isn't freed: it waits until its lease ends, so
        that it can't take down one process after the other.
        """
        held = {"status": "running", "lease.owner": owner, "attempts": 0}
        with store_errors():
            await self._rows.update_many(held, {"$set": {"lease.expires_at": EPOCH}})

    async def heartbeat(self, job: Job, now: datetime) -> None:
        """Keep a job. Raises LeaseLost when somebody else has it."""
        await self._write(job, {"$set": {"lease.expires_at": now + self._lease}})

    async def finish(self, job: Job, now: datetime) -> None:
        """Done; or waiting once more when it was asked for meanwhile. Raises LeaseLost."""
        done = {"status": "done", "attempts": 0, "expires_at": now + DONE_KEPT}
        with store_errors():
            result = await self._rows.update_one(
                {**_held(job), "again": {"$ne": True}}, {"$set": done}
            )
        if not result.matched_count:
            anew = {"status": "waiting", "attempts": 0, "run_at": now, "again": False}
            await self._write(job, {"$set": anew})

    async def fail(
        self,
        job: Job,
        error: str,
        now: datetime,
        *,
        retry_at: datetime | None,
        attempts: int,
        raw: str | None = None,
    ) -> None:
        """Failed: waiting until `retry_at`, dead without one. Raises LeaseLost.

        `error` is one word; `raw` is cut at 400 characters.
        """
        values: dict[str, Any] = {"attempts": attempts, "last_error": error}
        if retry_at is None:
            values |= {"status": "dead", "expires_at": now + DEAD_KEPT}
        else:
            values |= {"status": "waiting", "run_at": retry_at}
        if raw is not None:
            values |= {"raw": raw[:RAW_CHARS], "raw_until": now + RAW_KEPT}
        await self._write(job, {"$set": values, "$inc": {f"failures.{error}": 1}})

    async def release(self, job: Job, run_at: datetime) -> None:
        """Hand a job back unfinished, for whoever comes at `run_at`. Raises LeaseLost."""
        await self._write(job, {"$set": {"status": "waiting", "run_at": run_at}})

    async def next_run_at(self, busy: Collection[int] = ()) -> datetime | None:
        """When the next job is due whose subject isn't `busy`, or None when nothing waits."""
        wanted = {"status": "waiting", **_not_of(busy)}
        with store_errors():
            cursor = self._rows.find(wanted, {"run_at": 1}).sort("run_at", 1)
            rows = [document async for document in cursor.limit(1)]
        return rows[0]["run_at"] if rows else None

    async def waiting_count(self) -> int:
        """How many jobs wait, due or not."""
        with store_errors():
            return await self._rows.count_documents({"status": "waiting"})

    async def all(
        self, status: JobStatus | None = None, subject: int | None = None, limit: int = 200
    ) -> list[Job]:
        """Jobs in the order of their next run; rows that make no sense are left out."""
        wanted = [status] if status is not None else list(get_args(JobStatus))
        condition: dict[str, Any] = {"status": {"$in": wanted}}
        if subject is not None:
            condition["subject"] = subject
        with store_errors():
            cursor = self._rows.find(condition).sort("run_at", 1).limit(limit)
            found = [_job(document) async for document in cursor]
        return [job for job in found if job is not None]

    async def retry(self, job: str, now: datetime) -> bool:
        """Let a dead job run again now; False when there is no dead one of that id."""
        with store_errors():
            result = await self._rows.update_one(
                {"_id": job, "status": "dead"},
                {
                    "$set": {"status": "waiting", "run_at": now, "attempts": 0},
                    "$unset": {"expires_at": ""},
                },
            )
        return bool(result.matched_count)

    async def forget_expired(self, now: datetime) -> int:
        """Delete finished rows, and raw answers, whose time is over; returns how many rows."""
        with store_errors():
            await self._rows.update_many(
                {"raw_until": {"$lte": now}}, {"$unset": {"raw": "", "raw_until": ""}}
            )
            result = await self._rows.delete_many({"expires_at": {"$lte": now}})
        return int(result.deleted_count)

    async def _write(self, job: Job, change: dict[str, Any]) -> None:
        with store_errors():
            result = await self._rows.update_one(_held(job), change)
        if not result.matched_count:
            raise LeaseLost(job.id)


def _not_of(busy: Collection[int]) -> dict[str, Any]:
    return {"subject": {"$nin": sorted(busy)}} if busy else {}


def _held(job: Job) -> dict[str, Any]:
    assert job.lease is not None
    return {
        "_id": job.id,
        "status": "running",
        "lease.owner": job.lease.owner,
        "lease.fence": job.lease.fence,
    }


def _job(document: dict[str, Any]) -> Job | None:
    try:
        return Job(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
    except ValidationError:
        return None
