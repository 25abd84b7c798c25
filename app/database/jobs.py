"""`jobs`: durable background work; each change to a running job is fenced by its lease."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, get_args

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
)
DONE_KEPT = timedelta(days=7)
DEAD_KEPT = timedelta(days=30)
RAW_KEPT = timedelta(days=7)


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
    ) -> None:
        """Ask for work. A job that waits runs at the earlier time; one that runs, runs again.

        One that is done starts anew, but for a period's, which was its only one; a dead one
        stays dead.
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
            raw=raw,
            raw_until=run_at + RAW_KEPT if raw else None,
        )
        document = {k: v for k, v in plain(job).items() if k != "id"}
        with store_errors():
            try:
                await self._rows.insert_one({"_id": job.id, **document})
                return
            except DuplicateKey:
                pass
            running = await self._rows.update_one(
                {"_id": job.id, "status": "running"}, {"$set": {"again": True}}
            )
            if running.matched_count:
                return
            waiting = await self._rows.update_one(
                {"_id": job.id, "status": "waiting", "attempts": 0}, {"$min": {"run_at": run_at}}
            )
            if not waiting.matched_count and not period:
                await self._rows.update_one(
                    {"_id": job.id, "status": "done"},
                    {"$set": document, "$unset": {"expires_at": "", "lease": ""}},
                )

    async def claim(self, owner: str, now: datetime, limit: int) -> list[Job]:
        """Take due jobs, and those whose worker went away, under a lease."""
        claimed: list[Job] = []
        with store_errors():
            due = self._rows.find({"status": "waiting", "run_at": {"$lte": now}})
            found = [d async for d in due.sort("run_at", 1).limit(limit)]
            lost = self._rows.find({"status": "running", "lease.expires_at": {"$lte": now}})
            found += [d async for d in lost.sort("lease.expires_at", 1).limit(limit)]
            for document in found[:limit]:
                fence = (document.get("lease") or {}).get("fence", 0)
                lease = {"owner": owner, "expires_at": now + self._lease, "fence": fence + 1}
                condition: dict[str, Any] = {"_id": document["_id"], "status": document["status"]}
                condition["lease.fence"] = fence if fence else {"$exists": False}
                result = await self._rows.update_one(
                    condition, {"$set": {"status": "running", "lease": lease, "again": False}}
                )
                if result.modified_count:
                    claimed.append(_job({**document, "status": "running", "lease": lease}))
        return claimed

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
        """Failed: waiting until `retry_at`, dead without one. Raises LeaseLost."""
        values: dict[str, Any] = {"attempts": attempts, "last_error": error}
        if retry_at is None:
            values |= {"status": "dead", "expires_at": now + DEAD_KEPT}
        else:
            values |= {"status": "waiting", "run_at": retry_at}
        if raw is not None:
            values |= {"raw": raw, "raw_until": now + RAW_KEPT}
        await self._write(job, {"$set": values, "$inc": {f"failures.{error}": 1}})

    async def release(self, job: Job, now: datetime) -> None:
        """Hand a job back unfinished, for whoever comes next. Raises LeaseLost."""
        await self._write(job, {"$set": {"status": "waiting", "run_at": now}})

    async def next_run_at(self) -> datetime | None:
        """When the next job is due, or None when nothing waits."""
        with store_errors():
            cursor = self._rows.find({"status": "waiting"}, {"run_at": 1}).sort("run_at", 1)
            rows = [document async for document in cursor.limit(1)]
        return rows[0]["run_at"] if rows else None

    async def all(
        self, status: JobStatus | None = None, subject: int | None = None, limit: int = 200
    ) -> list[Job]:
        """Jobs, oldest first."""
        wanted = [status] if status is not None else list(get_args(JobStatus))
        condition: dict[str, Any] = {"status": {"$in": wanted}}
        if subject is not None:
            condition["subject"] = subject
        with store_errors():
            cursor = self._rows.find(condition).sort("created_at", 1).limit(limit)
            return [_job(document) async for document in cursor]

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

    async def forget_expired(self, now: datetime) -> None:
        """Delete finished rows, and raw answers, whose time is over."""
        with store_errors():
            await self._rows.delete_many({"expires_at": {"$lte": now}})

    async def _write(self, job: Job, change: dict[str, Any]) -> None:
        with store_errors():
            result = await self._rows.update_one(_held(job), change)
        if not result.matched_count:
            raise LeaseLost(job.id)


def _held(job: Job) -> dict[str, Any]:
    assert job.lease is not None
    return {
        "_id": job.id,
        "status": "running",
        "lease.owner": job.lease.owner,
        "lease.fence": job.lease.fence,
    }


def _job(document: dict[str, Any]) -> Job:
    return Job(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
