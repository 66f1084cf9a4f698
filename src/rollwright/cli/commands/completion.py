"""`rollwright completion`: what a shell needs to complete commands, games and options."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")
HOW = {
    "bash": 'eval "$(rollwright completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(rollwright completion zsh)"  # in ~/.zshrc',
    "fish": "rollwright completion fish | source  # in ~/.config/fish/config.fish",
}


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    For bash put eval "$(rollwright completion bash)" into ~/.bashrc; zsh and fish likewise.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "rollwright", "_ROLLWRIGHT_COMPLETE").source()
    click.echo(f"# {HOW[shell]}\n{script}")
