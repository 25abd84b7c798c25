"""`python -m app` is `thinkmate`."""

from app.cli import main

if __name__ == "__main__":
    main()
